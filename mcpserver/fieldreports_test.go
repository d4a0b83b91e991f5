package mcpserver_test

import (
	"context"
	"encoding/base64"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/agentsandbox/agent-sandbox/mcpserver"
	"github.com/agentsandbox/agent-sandbox/sandboxclient"
	"github.com/agentsandbox/agent-sandbox/sandboxd/sandboxtest"
)

// The tests of this file are cases of docs/field-reports.md that no other test
// covers on its way.

func TestTimeoutsThatMakeNoSense(t *testing.T) {
	t.Parallel()
	fake := &mcpserver.FakeBackend{}
	client := connect(t, mcpserver.NewFake(fake, nil))
	for tool, rest := range map[string]string{"create_sandbox": "", "run_code": `,"code":"1"`, "run_command": `,"command":"x"`} {
		for _, timeout := range []string{"0", "-1", "0.0001", `"NaN"`, `"-5"`, "1e300"} {
			code, message, _ := failure(t, client, tool, `{"timeout":`+timeout+rest+`}`)
			if code != "invalid_argument" || !strings.Contains(message, "timeout must be a whole number") {
				t.Errorf("%s with timeout %s: %s: %s", tool, timeout, code, message)
			}
		}
		structured(t, client, tool, `{"timeout":null`+rest+`}`)
	}
	if got := fake.Created()[0].Options.Timeout; got != 300*time.Second {
		t.Errorf("no timeout means %s, want 5m0s", got)
	}
}

func TestLifeBeyondTheBackendsMaximum(t *testing.T) {
	t.Parallel()
	r := onReal(t, nil, nil)
	if code, message, _ := failure(t, r.client, "create_sandbox", `{"timeout":1000000000}`); code != "invalid_argument" || !strings.Contains(message, "imeout") {
		t.Errorf("got %s: %s", code, message)
	}
	got := r.run(t, "run_command", `{"command":"echo fine","timeout":200000}`)
	if got["stdout"] != "fine\n" {
		t.Errorf("a long call: %v", got)
	}
}

func TestSessionsDoNotSeeEachOther(t *testing.T) {
	t.Parallel()
	r := onReal(t, nil, nil)
	other, end, err := r.server.InMemory(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	path := "/tmp/" + strings.ReplaceAll(t.Name(), "/", "-")
	path = r.home(t) + path // in the first session's home; the second has another
	otherHome := strings.TrimSpace(structured(t, other, "run_command", `{"command":"echo $HOME"}`)["stdout"].(string))
	if strings.HasPrefix(path, otherHome) {
		t.Fatalf("both sessions live in %s", otherHome)
	}
	for i := range 20 {
		mine, theirs := fmt.Sprintf("mine %d", i), fmt.Sprintf("theirs %d", i)
		r.run(t, "write_file", toJSON(t, "path", r.home(t)+"/f", "content", mine))
		structured(t, other, "write_file", toJSON(t, "path", otherHome+"/f", "content", theirs))
		if got := r.command(t, "cat $HOME/f"); got["stdout"] != mine {
			t.Fatalf("round %d: mine is %v", i, got["stdout"])
		}
		if got := structured(t, other, "run_command", `{"command":"cat $HOME/f"}`); got["stdout"] != theirs {
			t.Fatalf("round %d: theirs is %v", i, got["stdout"])
		}
	}
	if err := end(context.Background()); err != nil {
		t.Fatal(err)
	}
	if got := r.command(t, "cat $HOME/f"); got["stdout"] != "mine 19" {
		t.Errorf("after the other session's end: %v", got)
	}
}

// Work keeps a sandbox alive beyond its idle life, calls and one long command
// alike.
func TestLifeIsRenewedWhileWorking(t *testing.T) {
	t.Parallel()
	r := onReal(t, nil, nil)
	made := r.run(t, "create_sandbox", `{"timeout":3}`)
	for range 4 {
		time.Sleep(1500 * time.Millisecond) // real time is what is tested
		if got := r.command(t, "echo alive"); got["sandbox_id"] != made["sandbox_id"] {
			t.Fatalf("ran in %v", got)
		}
	}
	if got := r.run(t, "run_command", `{"command":"sleep 4; echo alive","timeout":10}`); got["stdout"] != "alive\n" {
		t.Errorf("a command longer than the idle life: %v", got)
	}
}

func TestPausedSandboxIsResumedByName(t *testing.T) {
	t.Parallel()
	r := onReal(t, &sandboxtest.Options{Isolation: "none"}, nil)
	client, err := sandboxclient.New(r.backend.APIKey, &sandboxclient.Options{APIURL: r.backend.URL, SandboxURL: r.backend.URL})
	if err != nil {
		t.Fatal(err)
	}
	sandbox, err := client.Create(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := sandbox.Pause(t.Context(), nil); err != nil {
		t.Skipf("this isolation cannot pause: %v", err)
	}
	got := r.run(t, "run_command", toJSON(t, "command", "echo awake", "sandbox_id", sandbox.ID))
	if got["stdout"] != "awake\n" {
		t.Errorf("got %v", got)
	}
}

func TestLargeArgumentsOverStdio(t *testing.T) {
	t.Parallel()
	r := onReal(t, nil, nil)
	pipe := newPipe(t, r.server)
	for _, size := range []int{100 << 10, 1 << 20, 5 << 20} {
		pipe.call(t, "write_file", toJSON(t, "path", r.home(t)+"/big", "content", strings.Repeat("x", size)))
		if got := r.command(t, "wc -c <$HOME/big"); strings.TrimSpace(got["stdout"].(string)) != fmt.Sprint(size) {
			t.Errorf("%d bytes arrived as %v", size, got["stdout"])
		}
	}
	line := pipe.request(t, "tools/call", `{"name":"run_command","arguments":{"command":"`+strings.Repeat("x", mcpserver.MaxLine)+`"}}`)
	if !strings.Contains(string(line), "line longer than 16777216 bytes") {
		t.Errorf("too long a line got %.200s", line)
	}
	pipe.call(t, "run_command", `{"command":"true"}`)
}

func TestLargeIntegersKeepTheirDigits(t *testing.T) {
	t.Parallel()
	r := onReal(t, nil, nil)
	if got := r.run(t, "run_code", `{"code":"9007199254740993"}`); got["result"] != "9007199254740993" {
		t.Errorf("got %v", got["result"])
	}
}

func TestTheEndOfOutputIsNeverLost(t *testing.T) {
	t.Parallel()
	r := onReal(t, nil, nil)
	for range 10 {
		got := r.command(t, "seq 1 20000; printf END")
		if s := got["stdout"].(string); !strings.HasSuffix(s, "20000\nEND") || got["stdout_bytes"] != float64(108894+3) {
			t.Fatalf("ends %q, %v bytes", s[max(0, len(s)-20):], got["stdout_bytes"])
		}
	}
}

func TestInterpreterThatNeverEnds(t *testing.T) {
	t.Parallel()
	r := onReal(t, nil, nil)
	r.run(t, "run_code", `{"code":"1"}`)
	r.backend.Inject(sandboxtest.Fault{Path: "/execute", Times: 1, Do: sandboxtest.Stall(60)})
	res := call(t, r.client, "run_code", `{"code":"print('x')","timeout":2}`)
	if codeOf(res) != "timeout" || fields(t, res)["timed_out"] != true {
		t.Errorf("got %s", text(t, res))
	}
	r.backend.Inject(sandboxtest.Fault{Path: "/execute", Times: 1, Do: sandboxtest.Cut(150)})
	if code, message, _ := failure(t, r.client, "run_code", `{"code":"print('x' * 1000)"}`); code != "outcome_unknown" {
		t.Errorf("a cut answer: %s: %s", code, message)
	}
	if got := r.run(t, "run_code", `{"code":"print('next')"}`); got["stdout"] != "next\n" {
		t.Errorf("the next run: %v", got)
	}
}

func TestDisplayedValues(t *testing.T) {
	t.Parallel()
	large := base64.StdEncoding.EncodeToString(append([]byte("\x89PNG\r\n\x1a\n"), make([]byte, 8<<20)...))
	fake := &mcpserver.FakeBackend{OnCode: func(_ context.Context, code string, _ *sandboxclient.CodeOptions) (*sandboxclient.Execution, error) {
		values := map[string][]*sandboxclient.CodeResult{
			"two figures": {{PNG: onePixel, Text: "<Figure>"}, {PNG: base64.StdEncoding.EncodeToString([]byte("\x89PNG\r\n\x1a\nother"))}},
			"table":       {{IsMain: true, Text: "   a\n0  1", HTML: "<table/>"}},
			"svg":         {{SVG: "<svg>x</svg>"}},
			"large":       {{PNG: large}},
			"shown":       {{Text: "first"}, {Text: "second"}},
		}
		return &sandboxclient.Execution{Results: values[code], Stdout: mcpserver.FakeOutput("out")}, nil
	}}
	client := connect(t, mcpserver.NewFake(fake, nil))
	run := func(code string) (map[string]any, []mcp.Content) {
		res := call(t, client, "run_code", toJSON(t, "code", code))
		return fields(t, res), res.Content[1:]
	}
	if _, blocks := run("two figures"); len(blocks) != 2 || blocks[1].(*mcp.ImageContent).MIMEType != "image/png" {
		t.Errorf("two figures: %v", blocks)
	}
	if got, blocks := run("table"); got["result"] != "   a\n0  1" || len(blocks) != 0 || !strings.Contains(notes(got), "html") {
		t.Errorf("table: %v %v", got, blocks)
	}
	if _, blocks := run("svg"); len(blocks) != 1 || blocks[0].(*mcp.TextContent).Text != "<svg>x</svg>" {
		t.Errorf("svg: %v", blocks)
	}
	if got, blocks := run("large"); len(blocks) != 0 || !strings.Contains(notes(got), "/tmp/abx/figure-") {
		t.Errorf("large: %v %v", notes(got), blocks)
	}
	if got, _ := run("shown"); got["stdout"] != "out\nfirst\nsecond\n" || got["stdout_bytes"] != 3.0 {
		t.Errorf("shown: %v", got)
	}
}

func TestSecretsNeverAppear(t *testing.T) {
	t.Parallel()
	fake := &mcpserver.FakeBackend{OnRun: func(context.Context, string, *sandboxclient.RunOptions) (*sandboxclient.Result, error) {
		return nil, &sandboxclient.Error{Op: "run", Code: sandboxclient.CodeUnauthenticated, Message: "bad key hunter2"}
	}}
	client := connect(t, mcpserver.NewFake(fake, &mcpserver.Options{Secrets: []string{"hunter2", ""}}))
	res := call(t, client, "run_command", `{"command":"x"}`)
	if all := fmt.Sprint(text(t, res), res.Meta); strings.Contains(all, "hunter2") || !strings.Contains(all, "bad key [secret]") {
		t.Errorf("got %s", all)
	}
}
