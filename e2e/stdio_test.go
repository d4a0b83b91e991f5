package e2e_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/agentsandbox/agent-sandbox/e2e/internal/harness"
)

const summarize = `
import csv, json
rows = list(csv.DictReader(open("/app/data.csv")))
total = sum(int(r["value"]) for r in rows)
json.dump({"rows": len(rows), "total": total}, open("/app/summary.json", "w"))
print(len(rows), total)
`

// table makes a CSV whose sum is known without adding it up: 0 + 1 + … + n-1.
func table(n int) (csv string, total int) {
	var b strings.Builder
	b.WriteString("id,value\n")
	for i := range n {
		fmt.Fprintf(&b, "%d,%d\n", i, i)
	}
	return b.String(), n * (n - 1) / 2
}

func TestRealWorkOverStdioLeavesNothing(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := harness.Command(t, "mcp", "start", "--local")
	mounts := harness.Mounts(t)
	abx := harness.StartStdio(ctx, t, cmd)

	const rows = 10_000
	csv, total := table(rows)
	written := abx.Call(ctx, "write_file", map[string]any{"path": "/app/data.csv", "content": csv})
	equal(t, "bytes_written", written["bytes_written"], float64(len(csv)))

	run := abx.Call(ctx, "run_code", map[string]any{"code": summarize})
	equal(t, "stdout", run["stdout"], fmt.Sprintf("%d %d\n", rows, total))
	equal(t, "exit_code", run["exit_code"], float64(0))

	listed := abx.Call(ctx, "list_files", map[string]any{"path": "/app"})
	equal(t, "names", names(listed), []string{"data.csv", "summary.json"})

	read := abx.Call(ctx, "read_file", map[string]any{"path": "/app/summary.json"})
	equal(t, "content", read["content"], fmt.Sprintf(`{"rows": %d, "total": %d}`, rows, total))

	shell := abx.Call(ctx, "run_command", map[string]any{"command": `tail -n +2 data.csv | awk -F, '{s += $2} END {print s}'`})
	equal(t, "sum by awk", shell["stdout"], fmt.Sprintf("%d\n", total))
	equal(t, "one sandbox for all", shell["sandbox_id"], written["sandbox_id"])

	abx.Stop()
	harness.CheckNothingLeft(t, environ(cmd.Env, "HOME"), environ(cmd.Env, "TMPDIR"))
	equal(t, "mounts", harness.Mounts(t), mounts)
}

func TestVariablesOutliveACall(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	abx := harness.StartStdio(ctx, t, harness.Command(t, "mcp", "start", "--local"))
	for _, language := range []string{"python", "javascript", "typescript"} {
		set := map[string]string{"python": "x = 41", "javascript": "let x = 41", "typescript": "const x: number = 41"}[language]
		abx.Call(ctx, "run_code", map[string]any{"language": language, "code": set})
		got := abx.Call(ctx, "run_code", map[string]any{"language": language, "code": "x + 1"})
		equal(t, language, got["result"], "42")
	}
	abx.Stop()
}

func names(listed map[string]any) []string {
	var names []string
	files, _ := listed["files"].([]any)
	for _, f := range files {
		entry, _ := f.(map[string]any)
		name, _ := entry["name"].(string)
		names = append(names, name)
	}
	return names
}

func environ(env []string, name string) string {
	for _, pair := range env {
		if value, ok := strings.CutPrefix(pair, name+"="); ok {
			return value
		}
	}
	return ""
}

func equal(t *testing.T, what string, got, want any) {
	t.Helper()
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%s is %v, want %v", what, got, want)
	}
}
