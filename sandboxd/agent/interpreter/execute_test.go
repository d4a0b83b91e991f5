package interpreter_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/agentsandbox/agent-sandbox/sandboxd/agent/interpreter"
)

func TestExecuteKeepsVariables(t *testing.T) {
	t.Parallel()
	s := interpreter.New(nil)
	t.Cleanup(func() { _ = s.Close() })
	post := func(body string) string {
		rec := httptest.NewRecorder()
		s.ServeHTTP(rec, httptest.NewRequest(http.MethodPost, "/execute", strings.NewReader(body)))
		return rec.Body.String()
	}
	post(`{"code":"x = 41"}`)
	if got := post(`{"code":"x + 1"}`); !strings.Contains(got, `"text":"42"`) {
		t.Fatalf("answer is %s", got)
	}
}
