package e2e_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/agentsandbox/agent-sandbox/e2e/internal/harness"
)

// sevenTools is in the order of names.
var sevenTools = []string{"create_sandbox", "kill_sandbox", "list_files", "read_file", "run_code", "run_command", "write_file"}

func TestSevenTools(t *testing.T) {
	t.Parallel()
	overBoth(t, func(ctx context.Context, t *testing.T, abx *harness.Session) {
		t.Helper()
		tools, err := abx.ListTools(ctx, nil)
		if err != nil {
			t.Fatal(err)
		}
		var listed []string
		for _, tool := range tools.Tools {
			listed = append(listed, tool.Name)
		}
		slices.Sort(listed)
		equal(t, "tools", listed, sevenTools)

		created := abx.Call(ctx, "create_sandbox", map[string]any{"timeout": 120, "envs": map[string]string{"GREETING": "hi there"}})
		equal(t, "status", created["status"], "running")
		id := created["sandbox_id"]

		shell := abx.Call(ctx, "run_command", map[string]any{"command": `echo "$GREETING"; echo oops >&2; exit 3`})
		equal(t, "stdout", shell["stdout"], "hi there\n")
		equal(t, "stderr", shell["stderr"], "oops\n")
		equal(t, "exit_code", shell["exit_code"], 3)
		equal(t, "sandbox", shell["sandbox_id"], id)

		filesComeBack(ctx, t, abx)
		codeRuns(ctx, t, abx)

		killed := abx.Call(ctx, "kill_sandbox", map[string]any{"sandbox_id": id})
		equal(t, "killed", killed["success"], true)
		code, _ := abx.Fail(ctx, "kill_sandbox", nil)
		equal(t, "no default is left", code, "no_default_sandbox")
	})
}

func filesComeBack(ctx context.Context, t *testing.T, abx *harness.Session) {
	t.Helper()
	all := make([]byte, 256)
	for i := range all {
		all[i] = byte(i)
	}
	abx.Call(ctx, "write_file", map[string]any{
		"path": "/tmp/e2e dir/数据.bin", "content": base64.StdEncoding.EncodeToString(all), "encoding": "base64",
	})
	read := abx.Call(ctx, "read_file", map[string]any{"path": "/tmp/e2e dir/数据.bin", "encoding": "base64"})
	content, err := base64.StdEncoding.DecodeString(fmt.Sprint(read["content"]))
	if err != nil || !bytes.Equal(content, all) {
		t.Errorf("%d bytes came back as %q, %v", len(all), content, err)
	}
	listed := abx.Call(ctx, "list_files", map[string]any{"path": "/tmp/e2e dir"})
	equal(t, "names", names(listed), []string{"数据.bin"})
	code, _ := abx.Fail(ctx, "read_file", map[string]any{"path": "/tmp/no such file"})
	equal(t, "missing file", code, "path_not_found")
}

func codeRuns(ctx context.Context, t *testing.T, abx *harness.Session) {
	t.Helper()
	abx.Call(ctx, "run_code", map[string]any{"code": "x = 9007199254740993"})
	got := abx.Call(ctx, "run_code", map[string]any{"code": "print('out'); x"})
	equal(t, "result", got["result"], "9007199254740993")
	equal(t, "stdout", got["stdout"], "out\n")
	got = abx.Call(ctx, "run_code", map[string]any{"code": "1/0"})
	equal(t, "exit_code of an exception", got["exit_code"], 1)
	if !strings.Contains(fmt.Sprint(got["stderr"]), "ZeroDivisionError") {
		t.Errorf("stderr is %q, want the traceback", got["stderr"])
	}
	for language, code := range map[string]string{
		"javascript": "console.log([1, 2].length)", "typescript": "const n: number = 2; console.log(n)", "shell": "echo $((1 + 1))",
	} {
		got = abx.Call(ctx, "run_code", map[string]any{"language": language, "code": code})
		equal(t, language, got["stdout"], "2\n")
	}
}

func TestTimeoutKillsWhatRuns(t *testing.T) {
	t.Parallel()
	overBoth(t, func(ctx context.Context, t *testing.T, abx *harness.Session) {
		t.Helper()
		result := abx.Try(ctx, "run_command", map[string]any{
			"command": `echo begun; (while :; do echo >> /tmp/beat; sleep 0.1; done) & wait`, "timeout": 2,
		})
		got, _ := result.StructuredContent.(map[string]any)
		equal(t, "isError", result.IsError, true)
		equal(t, "code", harness.Code(result), "timeout")
		equal(t, "timed_out", got["timed_out"], true)
		equal(t, "exit_code", got["exit_code"], 124)
		equal(t, "stdout", got["stdout"], "begun\n")
		beats := abx.Call(ctx, "run_command", map[string]any{"command": "wc -l < /tmp/beat; sleep 1; wc -l < /tmp/beat"})
		lines := strings.Fields(fmt.Sprint(beats["stdout"]))
		if len(lines) != 2 || len(slices.Compact(lines)) != 1 {
			t.Errorf("after the timeout it still writes: %q", lines)
		}
	})
}
