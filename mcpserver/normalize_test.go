package mcpserver_test

import (
	"maps"
	"strings"
	"testing"

	"github.com/agentsandbox/agent-sandbox/mcpserver"
)

func TestNormalizeAccepts(t *testing.T) {
	t.Parallel()
	cases := []struct {
		tool, arguments string
		want            map[string]any
	}{
		{"create_sandbox", ``, nil},
		{"create_sandbox", `null`, nil},
		{"create_sandbox", ` {} `, nil},
		{"create_sandbox", `{"template":null,"timeout":null,"envs":null}`, nil},
		{"create_sandbox", `{"timeout":30}`, map[string]any{"timeout": int64(30)}},
		{"create_sandbox", `{"timeout":30.0}`, map[string]any{"timeout": int64(30)}},
		{"create_sandbox", `{"timeout":3e1}`, map[string]any{"timeout": int64(30)}},
		{"create_sandbox", `{"timeout":"30"}`, map[string]any{"timeout": int64(30)}},
		{"create_sandbox", `{"timeout":" 30 "}`, map[string]any{"timeout": int64(30)}},
		{"create_sandbox", `{"timeout":"30.00"}`, map[string]any{"timeout": int64(30)}},
		{"create_sandbox", `{"timeout":-1}`, map[string]any{"timeout": int64(-1)}}, // the handler judges it
		{"create_sandbox", `{"timeout":9007199254740993}`, map[string]any{"timeout": int64(9007199254740993)}},
		{"run_code", `{"code":42}`, map[string]any{"code": "42"}},
		{"run_code", `{"code":9007199254740993}`, map[string]any{"code": "9007199254740993"}},
		{"run_code", `{"code":true}`, map[string]any{"code": "true"}},
		{"run_code", `{"code":"x","raw":"true"}`, map[string]any{"code": "x", "raw": true}},
		{"run_code", `{"code":"x","raw":false}`, map[string]any{"code": "x", "raw": false}},
		{"run_code", `{"code":""}`, map[string]any{"code": ""}},
		{"run_code", `{"code":"\ud83d\ude00 \\ud800"}`, map[string]any{"code": `😀 \ud800`}},
		{"write_file", `{"path":"/a","content":123}`, map[string]any{"path": "/a", "content": "123"}},
	}
	for _, c := range cases {
		got, notes, err := mcpserver.Normalize(c.tool, c.arguments)
		if err != nil || !maps.Equal(got, c.want) || len(notes) > 0 {
			t.Errorf("%s %s: %v %v %v; want %v", c.tool, c.arguments, got, notes, err, c.want)
		}
	}
}

func TestNormalizeReadsMaps(t *testing.T) {
	t.Parallel()
	want := map[string]string{"A": "1", "B": "two", "C": "true"}
	for _, arguments := range []string{
		`{"envs":{"A":"1","B":"two","C":"true","D":null}}`,
		`{"envs":{"A":1,"B":"two","C":true}}`,
		`{"envs":"{\"A\":\"1\",\"B\":\"two\",\"C\":\"true\"}"}`,
	} {
		got, _, err := mcpserver.Normalize("create_sandbox", arguments)
		if err != nil {
			t.Errorf("%s: %v", arguments, err)
			continue
		}
		if envs, _ := got["envs"].(map[string]string); !maps.Equal(envs, want) {
			t.Errorf("%s: %v, want %v", arguments, envs, want)
		}
	}
}

// A refusal names the field, the value and the form that is wanted.
func TestNormalizeRefuses(t *testing.T) {
	t.Parallel()
	cases := []struct{ tool, arguments, says string }{
		{"run_code", `[]`, "arguments must be a JSON object, got an array"},
		{"run_code", `"x"`, "arguments must be a JSON object, got a string"},
		{"run_code", `{}`, "code is missing. It must be a string"},
		{"run_code", `{"code":null}`, "code is missing"},
		{"run_code", `{"code":"x","timeout":"abc"}`, `timeout must be a whole number, for example 30; got "abc"`},
		{"run_code", `{"code":"x","timeout":"030"}`, "timeout must be a whole number"},
		{"run_code", `{"code":"x","timeout":"3e1"}`, "timeout must be a whole number"},
		{"run_code", `{"code":"x","timeout":"NaN"}`, "timeout must be a whole number"},
		{"run_code", `{"code":"x","timeout":1.5}`, "timeout must be a whole number"},
		{"run_code", `{"code":"x","timeout":1e400000000}`, "timeout must be a whole number"},
		{"run_code", `{"code":"x","timeout":99999999999999999999}`, "timeout must be a whole number"},
		{"run_code", `{"code":"x","timeout":true}`, "timeout must be a whole number"},
		{"run_code", `{"code":"x","timeout":""}`, "timeout must be a whole number"},
		{"run_code", `{"code":"x","raw":"yes"}`, "raw must be true or false"},
		{"run_code", `{"code":"x","raw":1}`, "raw must be true or false"},
		{"run_code", `{"code":"x","language":"Python"}`, "language must be one of python, javascript, shell, typescript, r"},
		{"run_code", `{"code":1.50}`, "code must be a string; got a number"},
		{"run_code", `{"code":1e2}`, "code must be a string; got a number"},
		{"run_code", `{"code":["x"]}`, "code must be a string; got an array"},
		{"run_code", `{"code":"\ud800"}`, "code holds half of a surrogate pair"},
		{"write_file", `{"path":"/a\udc00","content":""}`, "path holds half of a surrogate pair"},
		{"write_file", `{"path":"/a","content":{"x":1}}`, "content must be a string; got an object. To pass JSON, put it into a string"},
		{"write_file", `{"path":"/a","path":"/b","content":""}`, `holds "path" twice`},
		{"create_sandbox", `{"envs":"A=1"}`, `envs must be an object of strings, for example {"NAME": "value"}`},
		{"create_sandbox", `{"envs":""}`, "envs must be an object of strings"},
		{"create_sandbox", `{"envs":["A=1"]}`, "envs must be an object of strings"},
		{"create_sandbox", `{"envs":{"A":{"b":1}}}`, "envs.A must be a string; got an object"},
		{"create_sandbox", `{"envs":{"A":"1","A":"2"}}`, `envs holds "A" twice`},
		{"run_command", `{"command":"ls","sandboxId":"x"}`, `"sandboxId" is not an argument of this tool; did you mean sandbox_id?`},
		{"run_command", `{"command":"ls","SANDBOX_ID":"x"}`, "did you mean sandbox_id?"},
		{"run_command", `{"command":"ls","sandbox_idd":"x"}`, "did you mean sandbox_id?"},
		{"run_command", `{"command":"ls","workdir":"/x"}`, `did you mean cwd? Arguments of this tool: command, cwd, raw, sandbox_id, timeout`},
		{"run_command", `{"Command":"ls"}`, "did you mean command?"},
		{"run_command", `{"cmd":"ls"}`, "did you mean command?"},
		{"run_command", `{"command":"ls","timeout_ms":1000}`, "did you mean timeout?"},
		{"read_file", `{"file_path":"/x"}`, "did you mean path?"},
	}
	for _, c := range cases {
		got, _, err := mcpserver.Normalize(c.tool, c.arguments)
		if err == nil {
			t.Errorf("%s %s was taken as %v", c.tool, c.arguments, got)
			continue
		}
		if !strings.Contains(err.Error(), c.says) || mcpserver.CodeOf(err) != mcpserver.CodeInvalidArgument {
			t.Errorf("%s %s: %v (%s); want %q", c.tool, c.arguments, err, mcpserver.CodeOf(err), c.says)
		}
	}
}

func TestNormalizeIgnoresTheHarmlessAndSaysSo(t *testing.T) {
	t.Parallel()
	got, notes, err := mcpserver.Normalize("run_code", `{"code":"x","description":"adds up","mode":1}`)
	if err != nil || got["code"] != "x" || len(got) != 1 {
		t.Fatalf("%v %v", got, err)
	}
	if len(notes) != 1 || !strings.Contains(notes[0], `"description", "mode"`) {
		t.Errorf("notes %q", notes)
	}
}

func FuzzNormalize(f *testing.F) {
	f.Add("run_code", `{"code":"x","timeout":"30","foo":[1]}`)
	f.Add("create_sandbox", `{"envs":"{\"a\":1}"}`)
	f.Fuzz(func(t *testing.T, tool, arguments string) {
		got, _, err := mcpserver.Normalize(tool, arguments)
		if err != nil && mcpserver.CodeOf(err) != mcpserver.CodeInvalidArgument {
			t.Errorf("%s: %v", arguments, err)
		}
		if err == nil && tool == "run_code" {
			if _, ok := got["code"].(string); !ok {
				t.Errorf("%s lost code: %v", arguments, got)
			}
		}
	})
}
