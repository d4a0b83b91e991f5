package e2e_test

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/agentsandbox/agent-sandbox/e2e/internal/harness"
)

// entry is what an IDE reads of its configuration about a server.
type entry struct {
	Command string            `json:"command"`
	Args    []string          `json:"args"`
	Env     map[string]string `json:"env"`
	URL     string            `json:"url"`
	Headers map[string]string `json:"headers"`
}

// ides tells where each keeps its servers, below the home or the project.
var ides = map[string]struct{ file, section string }{
	"cursor": {"home/.cursor/mcp.json", "mcpServers"},
	"claude": {"home/.config/Claude/claude_desktop_config.json", "mcpServers"},
	"vscode": {"project/.vscode/mcp.json", "servers"},
}

// desk is a user's home and project.
type desk struct{ dir string }

func newDesk(t *testing.T) desk {
	t.Helper()
	d := desk{t.TempDir()}
	for _, name := range []string{"home", "project"} {
		if err := os.Mkdir(filepath.Join(d.dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return d
}

// abx runs abx as that user, in the project.
func (d desk) abx(t *testing.T, env []string, args ...string) string {
	t.Helper()
	cmd := harness.Command(t, args...)
	cmd.Dir = filepath.Join(d.dir, "project")
	cmd.Env = append(append(cmd.Env, "HOME="+filepath.Join(d.dir, "home")), env...)
	var out, stderr harness.Log
	cmd.Stdout, cmd.Stderr = &out, &stderr
	if err := harness.Run(cmd); err != nil {
		t.Fatalf("abx %q: %v\n%s%s", args, err, &out, &stderr)
	}
	return out.String()
}

// entry reads the installed entry as the IDE does.
func (d desk) entry(t *testing.T, ide, name string) *entry {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(d.dir, ides[ide].file))
	if err != nil {
		t.Fatal(err)
	}
	var file map[string]map[string]*entry
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatalf("%s: %v\n%s", ide, err, text)
	}
	e := file[ides[ide].section][name]
	if e == nil {
		t.Fatalf("%s has no entry %s: %s", ide, name, text)
	}
	return e
}

// start starts the entry's program with what a desktop session gives an IDE,
// and the entry's own environment.
func (d desk) start(ctx context.Context, t *testing.T, e *entry, env ...string) *harness.Server {
	t.Helper()
	cmd := exec.Command(e.Command, e.Args...)
	cmd.Dir = "/"
	cmd.Env = append([]string{"HOME=" + filepath.Join(d.dir, "home"), "PATH=/usr/bin:/bin", "TMPDIR=" + t.TempDir()}, env...)
	for name, value := range e.Env {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	return harness.StartStdio(ctx, t, cmd)
}

// TestTheInstalledEntryStarts installs with a key and a backend that the user
// has configured, and starts what each IDE's file then says.
func TestTheInstalledEntryStarts(t *testing.T) {
	t.Parallel()
	ctx := limited(t, 2*time.Minute)
	backend := harness.StartBackend(ctx, t, nil)
	d := newDesk(t)
	for _, key := range []string{"base_url", "sandbox_url"} {
		d.abx(t, nil, "config", "set", key, backend.URL)
	}
	withKey := []string{"ABX_SANDBOX_API_KEY=" + backend.APIKey}
	for ide := range ides {
		harness.Scenario(t, ide, func(t *testing.T) {
			d.abx(t, withKey, "mcp", "install", "--target", ide)
			e := d.entry(t, ide, "agent-sandbox")
			equal(t, "args", e.Args, []string{"mcp", "start"})
			var env []string
			if len(e.Env) == 0 {
				env = withKey // the key stays out of a project's file
			}
			abx := d.start(ctx, t, e, env...)
			equal(t, "stdout", abx.Call(ctx, "run_command", map[string]any{"command": "echo hello"})["stdout"], "hello\n")
			abx.Stop()
			before, err := os.ReadFile(filepath.Join(d.dir, ides[ide].file))
			if err != nil {
				t.Fatal(err)
			}
			d.abx(t, withKey, "mcp", "install", "--target", ide)
			after, err := os.ReadFile(filepath.Join(d.dir, ides[ide].file))
			if err != nil || !slices.Equal(before, after) {
				t.Errorf("a second install changed the file to %s, %v", after, err)
			}
		})
	}
	backend.AwaitNoSandbox(ctx, leftLimit)
}

// TestTheLocalEntryStarts installs without any account.
func TestTheLocalEntryStarts(t *testing.T) {
	t.Parallel()
	ctx := limited(t, time.Minute)
	d := newDesk(t)
	harness.Scenario(t, "cursor", func(t *testing.T) {
		d.abx(t, nil, "mcp", "install", "--target", "cursor", "--local")
		abx := d.start(ctx, t, d.entry(t, "cursor", "agent-sandbox"))
		equal(t, "result", abx.Call(ctx, "run_code", map[string]any{"code": "6*7"})["result"], "42")
		abx.Stop()
	})
}
