package sandboxclient_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/agentsandbox/agent-sandbox/sandboxclient"
	"github.com/agentsandbox/agent-sandbox/sandboxclient/api"
)

// kernel is an interpreter that a test scripts: lines to send, then perhaps a
// loop that only a restart ends.
type kernel struct {
	lines    []string
	busy     bool
	contexts []api.CodeContext

	mu        sync.Mutex
	requests  []api.ExecuteRequest
	restarted []string
}

func (k *kernel) handler(t *testing.T) http.HandlerFunc {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("POST /execute", func(w http.ResponseWriter, r *http.Request) {
		var request api.ExecuteRequest
		if err := json.NewDecoder(r.Body).Decode(&request); err != nil {
			t.Error(err)
		}
		k.mu.Lock()
		k.requests = append(k.requests, request)
		k.mu.Unlock()
		for _, line := range k.lines {
			_, _ = io.WriteString(w, line+"\n")
		}
		if k.busy {
			_ = http.NewResponseController(w).Flush()
			<-r.Context().Done()
		}
	})
	mux.HandleFunc("GET /contexts", func(w http.ResponseWriter, _ *http.Request) { writeJSON(w, 200, k.contexts) })
	mux.HandleFunc("POST /contexts", func(w http.ResponseWriter, _ *http.Request) {
		made := api.CodeContext{ID: fmt.Sprint("own", len(k.contexts)), Language: "python", Cwd: "/home/user"}
		k.contexts = append(k.contexts, made)
		writeJSON(w, 200, made)
	})
	mux.HandleFunc("POST /contexts/{id}/restart", func(w http.ResponseWriter, r *http.Request) {
		k.mu.Lock()
		k.restarted = append(k.restarted, r.PathValue("id"))
		k.mu.Unlock()
		writeJSON(w, 200, nil)
	})
	return mux.ServeHTTP
}

func (k *kernel) interpreter(t *testing.T) *sandboxclient.Interpreter {
	t.Helper()
	b := newBackend(t, "0.6.13")
	b.code = k.handler(t)
	return b.sandbox().Code
}

func TestRunCodeCallsBack(t *testing.T) {
	t.Parallel()
	k := &kernel{lines: []string{
		`{"type":"number_of_executions","execution_count":3}`, `{"type":"stdout","text":"a"}`, `{"type":"keepalive"}`,
		`{"type":"something new","x":1}`, ``, `{"type":"stderr","text":"b"}`, `{"type":"stdout","text":"c\n"}`,
		`{"type":"result","text":"1","is_main_result":true,"extra":{}}`, `{"type":"end_of_execution"}`,
	}}
	var calls []string
	got, err := k.interpreter(t).Run(t.Context(), "x", &sandboxclient.CodeOptions{
		OnStdout: func(s string) { calls = append(calls, "out "+s) },
		OnStderr: func(s string) { calls = append(calls, "err "+s) },
		OnResult: func(r *sandboxclient.CodeResult) { calls = append(calls, "result "+r.Text) },
	})
	if err != nil {
		t.Fatal(err)
	}
	if want := "out a,err b,out c\n,result 1"; strings.Join(calls, ",") != want {
		t.Errorf("called %q, want %q", calls, want)
	}
	if got.Stdout.String() != "ac\n" || got.Stderr.String() != "b" || got.ExecutionCount != 3 || !got.Results[0].IsMain {
		t.Errorf("got %+v", got)
	}
	if r := k.requests[0]; r.Language != "python" || r.ContextID != "" {
		t.Errorf("sent %+v, want an explicit language", r)
	}
}

func TestRunCodeWithLargeResults(t *testing.T) {
	t.Parallel()
	image := strings.Repeat("iVBORw0K", 1<<20) // 8 MiB, far above any scanner's line
	k := &kernel{lines: []string{`{"type":"result","png":"` + image + `","is_main_result":false}`, `{"type":"end_of_execution"}`}}
	got, err := k.interpreter(t).Run(t.Context(), "x", nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Results) != 1 || got.Results[0].PNG != image || strings.Join(got.Results[0].Formats(), ",") != "png" {
		t.Error("the image did not arrive whole")
	}
}

func TestBrokenExecutionIsAnError(t *testing.T) {
	t.Parallel()
	for name, lines := range map[string][]string{
		"no end":    {`{"type":"stdout","text":"part"}`},
		"half line": {`{"type":"stdout","text":"part"}`, `{"type":"std`},
		"no JSON":   {`{"type":"stdout","text":"part"}`, `<html>`, `{"type":"end_of_execution"}`},
	} {
		k := &kernel{lines: lines}
		got, err := k.interpreter(t).Run(t.Context(), "x", nil)
		if !sandboxclient.IsOutcomeUnknown(err) || got == nil || got.Stdout.String() != "part" {
			t.Errorf("%s: got %+v, %v", name, got, err)
		}
	}
}

func TestCodeTimeoutFreesItsContext(t *testing.T) {
	t.Parallel()
	defaults := []api.CodeContext{{ID: "py", Language: "python"}, {ID: "js", Language: "javascript"}}
	for name, test := range map[string]struct {
		opts     sandboxclient.CodeOptions
		contexts []api.CodeContext
		want     string
	}{
		"own context":        {sandboxclient.CodeOptions{ContextID: "mine"}, defaults, "mine"},
		"default python":     {sandboxclient.CodeOptions{}, defaults, "py"},
		"default javascript": {sandboxclient.CodeOptions{Language: "JS "}, defaults, "js"},
		"not to be told":     {sandboxclient.CodeOptions{}, append([]api.CodeContext{{ID: "other", Language: "python"}}, defaults...), ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := &kernel{lines: []string{`{"type":"stdout","text":"before"}`}, busy: true, contexts: test.contexts}
			code := k.interpreter(t)
			if _, err := code.CreateContext(t.Context(), nil); err != nil { // never mistaken for the default one
				t.Fatal(err)
			}
			test.opts.Timeout = 200 * time.Millisecond
			got, err := code.Run(t.Context(), "while True: pass", &test.opts)
			if err != nil {
				t.Fatal(err)
			}
			if !got.TimedOut || got.Stdout.String() != "before" || got.Restarted != (test.want != "") {
				t.Errorf("got %+v", got)
			}
			if strings.Join(k.restarted, ",") != test.want {
				t.Errorf("restarted %v, want %q", k.restarted, test.want)
			}
		})
	}
}

func TestCancelledCodeFreesItsContext(t *testing.T) {
	t.Parallel()
	k := &kernel{lines: []string{`{"type":"stdout","text":"before"}`}, busy: true, contexts: []api.CodeContext{{ID: "py", Language: "python"}}}
	ctx, cancel := context.WithCancel(t.Context())
	got, err := k.interpreter(t).Run(ctx, "x", &sandboxclient.CodeOptions{OnStdout: func(string) { cancel() }})
	if !sandboxclient.IsCanceled(err) || got.Stdout.String() != "before" || !got.Restarted {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestRunCodeRefusesBadArguments(t *testing.T) {
	t.Parallel()
	k := &kernel{}
	code := k.interpreter(t)
	for name, opts := range map[string]*sandboxclient.CodeOptions{
		"both":     {Language: "python", ContextID: "x"},
		"timeout":  {Timeout: -1},
		"quote":    {Envs: map[string]string{"A": "it's"}},
		"newline":  {Envs: map[string]string{"A": "a\nb"}},
		"dollar":   {Envs: map[string]string{"A": "$HOME"}},
		"bad name": {Envs: map[string]string{"A=B": "x"}},
	} {
		if _, err := code.Run(t.Context(), "x", opts); sandboxclient.CodeOf(err) != sandboxclient.CodeInvalidArgument {
			t.Errorf("%s: %v", name, err)
		}
	}
	if len(k.requests) != 0 {
		t.Errorf("%d requests were sent", len(k.requests))
	}
}
