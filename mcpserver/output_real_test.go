package mcpserver_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/agentsandbox/agent-sandbox/mcpserver"
	"github.com/agentsandbox/agent-sandbox/sandboxd/sandboxtest"
)

// toJSON makes a JSON object of names and values.
func toJSON(t testing.TB, pairs ...any) string {
	t.Helper()
	object := map[string]any{}
	for i := 0; i < len(pairs); i += 2 {
		object[pairs[i].(string)] = pairs[i+1]
	}
	data, err := json.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func (r *real) command(t testing.TB, command string) map[string]any {
	t.Helper()
	return r.run(t, "run_command", toJSON(t, "command", command))
}

// Long output is shortened in its middle, and the whole of it can be read.
func TestLongOutput(t *testing.T) {
	t.Parallel()
	r := onReal(t, nil, nil)
	got := r.command(t, "seq 1 200000; printf END")
	stdout := got["stdout"].(string)
	const total = 1288895 + len("END") // bytes of seq 1 200000
	if got["truncated"] != true || got["stdout_bytes"] != float64(total) || got["exit_code"] != 0.0 {
		t.Errorf("truncated %v, bytes %v, exit %v", got["truncated"], got["stdout_bytes"], got["exit_code"])
	}
	if len(stdout) > 32<<10+100 || !strings.HasPrefix(stdout, "1\n2\n") || !strings.HasSuffix(stdout, "200000\nEND") {
		t.Errorf("%d bytes, %.10q to %q", len(stdout), stdout, stdout[max(0, len(stdout)-20):])
	}
	if gap := fmt.Sprintf("[... %d bytes left out ...]", total-32<<10); !strings.Contains(stdout, gap) {
		t.Errorf("no %q", gap)
	}
	path := got["full_output"].(string)
	part := r.run(t, "read_file", toJSON(t, "path", path, "start_line", 199999, "max_lines", 5))
	if part["content"] != "199999\n200000\nEND" || part["size"] != float64(total) {
		t.Errorf("the whole output ends %q of %v bytes", part["content"], part["size"])
	}
}

func TestLongOutputOfEachKind(t *testing.T) {
	t.Parallel()
	r := onReal(t, nil, nil)
	const size = 5 << 20
	for name, command := range map[string]string{
		"one line": "head -c 5242880 /dev/zero | tr '\\0' x",
		"stderr":   "head -c 5242880 /dev/zero | tr '\\0' x >&2",
	} {
		got := r.command(t, command+"; exit 7")
		if got["exit_code"] != 7.0 || got["truncated"] != true || got["stdout_bytes"].(float64)+got["stderr_bytes"].(float64) != size {
			t.Errorf("%s: exit %v, truncated %v, bytes %v %v", name, got["exit_code"], got["truncated"], got["stdout_bytes"], got["stderr_bytes"])
		}
		whole := r.command(t, "wc -c <"+got["full_output"].(string))
		if strings.TrimSpace(whole["stdout"].(string)) != fmt.Sprint(size) {
			t.Errorf("%s: the whole output has %v bytes", name, whole["stdout"])
		}
	}
}

func TestMaxOutputOption(t *testing.T) {
	t.Parallel()
	r := onReal(t, nil, &mcpserver.Options{MaxOutput: 100})
	if got := r.command(t, "seq 1 1000"); len(got["stdout"].(string)) > 160 || got["truncated"] != true {
		t.Errorf("got %v", got)
	}
}

func TestTerminalControlIsCollapsed(t *testing.T) {
	t.Parallel()
	r := onReal(t, nil, nil)
	command := `printf '\033[31mred\033[0m\n'; for i in $(seq 1 5000); do printf "\r%d%%" $i; done`
	if got := r.command(t, command); got["stdout"] != "red\n5000%" || got["truncated"] != false {
		t.Errorf("got %q", got["stdout"])
	}
	got := r.run(t, "run_command", toJSON(t, "command", `printf '\033[31mred\r'`, "raw", true))
	if got["stdout"] != "\x1b[31mred\r" {
		t.Errorf("raw: %q", got["stdout"])
	}
}

func TestInvalidBytesAreCounted(t *testing.T) {
	t.Parallel()
	r := onReal(t, nil, nil)
	got := r.command(t, `printf 'a\377\376b'`)
	if got["stdout"] != "a\ufffd\ufffdb" || !strings.Contains(notes(got), "stdout had 2 bytes") {
		t.Errorf("got %v", got)
	}
}

func TestCharactersAreNeverSplit(t *testing.T) {
	t.Parallel()
	r := onReal(t, nil, &mcpserver.Options{MaxOutput: 1001})
	got := r.command(t, `for i in $(seq 1 2000); do printf '数据'; done`)
	if s := got["stdout"].(string); !utf8.ValidString(s) || strings.ContainsRune(s, utf8.RuneError) {
		t.Errorf("got %q", s)
	}
}

// The whole process tree is gone after a timeout, although the backend itself
// would kill only the shell.
func TestTimeoutKillsTheTree(t *testing.T) {
	t.Parallel()
	for _, profile := range []string{"e2b", "fc"} {
		t.Run(profile, func(t *testing.T) {
			t.Parallel()
			r := onReal(t, &sandboxtest.Options{Profile: profile}, nil)
			command := "echo started; (while :; do date >> $HOME/t; sleep 0.1; done) & wait"
			began := time.Now()
			res := call(t, r.client, "run_command", toJSON(t, "command", command, "timeout", 1))
			got := fields(t, res)
			if !res.IsError || got["timed_out"] != true || got["exit_code"] != 124.0 || got["stdout"] != "started\n" {
				t.Errorf("got %v", got)
			}
			if took := time.Since(began); took > 10*time.Second {
				t.Errorf("took %s", took)
			}
			if code := codeOf(res); code != "timeout" {
				t.Errorf("code %s", code)
			}
			before := r.command(t, "wc -c <$HOME/t; sleep 0.5")["stdout"]
			if after := r.command(t, "wc -c <$HOME/t")["stdout"]; after != before {
				t.Errorf("it goes on writing: %v, then %v", before, after)
			}
		})
	}
}

func codeOf(res *mcp.CallToolResult) string {
	meta, _ := res.Meta[mcpserver.MetaError].(map[string]any)
	code, _ := meta["code"].(string)
	return code
}

// A command that leaves a server behind returns when its shell ends.
func TestBackgroundServer(t *testing.T) {
	t.Parallel()
	r := onReal(t, nil, nil)
	began := time.Now()
	got := r.run(t, "run_command", toJSON(t, "command", "sleep 300 & echo $!", "timeout", 60))
	if took := time.Since(began); took > 20*time.Second || got["timed_out"] != false || got["exit_code"] != 0.0 {
		t.Errorf("took %s: %v", took, got)
	}
	if n := notes(got); !strings.Contains(n, "8000") || !strings.Contains(n, "kill") {
		t.Errorf("notes %q", n)
	}
	pid := strings.TrimSpace(got["stdout"].(string))
	if alive := r.command(t, "kill -0 "+pid); alive["exit_code"] != 0.0 {
		t.Errorf("it did not live on: %v", alive)
	}
	r.command(t, "kill "+pid)
}

func TestCancelStopsTheCommand(t *testing.T) {
	t.Parallel()
	r := onReal(t, nil, nil)
	r.command(t, "true")
	ctx, cancel := context.WithCancel(t.Context())
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		params := &mcp.CallToolParams{Name: "run_command", Arguments: json.RawMessage(`{"command":"touch $HOME/on; while :; do date >> $HOME/t; sleep 0.1; done"}`)}
		_, _ = r.client.CallTool(ctx, params)
	}()
	eventually(t, "the command at work", func() bool { return r.command(t, "test -s $HOME/t")["exit_code"] == 0.0 })
	cancel()
	<-gone
	eventually(t, "the command stopped", func() bool {
		return r.command(t, "a=$(wc -c <$HOME/t); sleep 0.4; test $a = $(wc -c <$HOME/t)")["exit_code"] == 0.0
	})
}

func TestProgress(t *testing.T) {
	t.Parallel()
	backend := onReal(t, nil, nil)
	got := make(chan *mcp.ProgressNotificationParams, 100)
	client := connectWith(t, backend.server, &mcp.ClientOptions{
		ProgressNotificationHandler: func(_ context.Context, req *mcp.ProgressNotificationClientRequest) { got <- req.Params },
	})
	params := &mcp.CallToolParams{Name: "run_command", Arguments: json.RawMessage(`{"command":"for i in 1 2 3 4; do echo step $i; sleep 1; done"}`)}
	params.SetProgressToken("tok")
	if _, err := client.CallTool(t.Context(), params); err != nil {
		t.Fatal(err)
	}
	count, last := 0, 0.0
	for drained := false; !drained; {
		select {
		case p := <-got:
			if count++; p.ProgressToken != "tok" || p.Progress <= last || p.Message == "" {
				t.Errorf("notification %+v after %v", p, last)
			}
			last = p.Progress
		default:
			drained = true
		}
	}
	if count < 2 {
		t.Errorf("%d notifications in 4 s, want one every 2 s at least", count)
	}
}

// A stream that breaks off is no exit code; what came until then is told.
func TestBrokenStream(t *testing.T) {
	t.Parallel()
	r := onReal(t, nil, nil)
	r.settle(t)
	r.backend.Inject(sandboxtest.Fault{Path: "/process.Process/Start", Times: 1, Do: sandboxtest.CutFrames(2)})
	code, message, _ := failure(t, r.client, "run_command", toJSON(t, "command", "seq 1 100; sleep 1; seq 1 100000"))
	if code != "outcome_unknown" || !strings.Contains(message, "stdout until then:\n1\n2\n") {
		t.Errorf("got %s: %s", code, message)
	}
}

// settle makes the default sandbox and waits until its first look is over.
func (r *real) settle(t testing.TB) {
	t.Helper()
	r.command(t, "true")
	eventually(t, "the first listing", func() bool {
		return slices.ContainsFunc(r.backend.Requests(), func(q sandboxtest.Request) bool {
			return strings.HasSuffix(q.Path, "/ListDir") && q.Status != 0
		})
	})
}

func TestCreateWhoseAnswerIsLost(t *testing.T) {
	t.Parallel()
	r := onReal(t, nil, nil)
	r.backend.Inject(sandboxtest.Fault{Method: http.MethodPost, Path: "/sandboxes", Times: 1, Do: sandboxtest.Status(http.StatusInternalServerError, "boom")})
	if code, message, _ := failure(t, r.client, "create_sandbox", `{}`); code != "outcome_unknown" || !strings.Contains(message, "boom") {
		t.Errorf("got %s: %s", code, message)
	}
}
