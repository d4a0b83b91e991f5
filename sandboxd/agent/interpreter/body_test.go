package interpreter_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
)

func TestBodiesThatDoNotFit(t *testing.T) {
	t.Parallel()
	s := newServer(t, nil)
	for _, test := range []struct{ body, kind, loc string }{
		{``, "missing", `["body"]`},
		{`null`, "missing", `["body"]`},
		{`[1]`, "model_attributes_type", `["body"]`},
		{`{"code":`, "json_invalid", `["body",8]`},
		{`{"code":5}`, "string_type", `["body","code"]`},
		{`{"code":null}`, "string_type", `["body","code"]`},
		{`{"code":"1","language":["python"]}`, "string_type", `["body","language"]`},
		{`{"code":"1","env_vars":"A=1"}`, "dict_type", `["body","env_vars"]`},
		{`{"code":"1","env_vars":{"A":1}}`, "string_type", `["body","env_vars","A"]`},
		{`{"code":"1","env_vars":{"A=B":"1"}}`, "value_error", `["body","env_vars","A=B"]`},
		{`{"code":"1","env_vars":{"":"1"}}`, "value_error", `["body","env_vars",""]`},
		{`{"code":"1","env_vars":{"A":"\u0000"}}`, "value_error", `["body","env_vars","A"]`},
		{`{"code":"\u0000"}`, "value_error", `["body","code"]`},
	} {
		status, text := s.call(http.MethodPost, "/execute", test.body)
		var answer struct {
			Detail []struct {
				Type string
				Loc  json.RawMessage
			}
		}
		err := json.Unmarshal([]byte(text), &answer)
		if status != http.StatusUnprocessableEntity || err != nil || len(answer.Detail) != 1 ||
			answer.Detail[0].Type != test.kind || string(answer.Detail[0].Loc) != test.loc {
			t.Errorf("%s: status %d: %s\nwant %s at %s", test.body, status, text, test.kind, test.loc)
		}
	}
}

func TestEveryProblemOfABodyIsTold(t *testing.T) {
	t.Parallel()
	status, text := newServer(t, nil).call(http.MethodPost, "/execute", `{"language":1,"context_id":2}`)
	if status != http.StatusUnprocessableEntity || strings.Count(text, `"loc"`) != 3 {
		t.Errorf("status %d: %s", status, text)
	}
}

func TestNullFieldsAreAbsentOnes(t *testing.T) {
	t.Parallel()
	s := newServer(t, nil)
	status, text := s.call(http.MethodPost, "/execute", `{"code":"6 * 7","context_id":null,"language":null,"env_vars":null,"unknown":1}`)
	if status != http.StatusOK || !strings.Contains(text, `"text":"42"`) {
		t.Errorf("status %d: %s", status, text)
	}
}
