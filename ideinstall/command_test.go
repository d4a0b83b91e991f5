package ideinstall_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/agentsandbox/agent-sandbox/ideinstall"
)

// fakeClaude stands in for `claude mcp add-json` and `claude mcp remove` as
// Claude Code 2 has them: an existing name is refused.
type fakeClaude struct {
	t    *testing.T
	path string
	runs [][]string
	fail bool
}

func (c *fakeClaude) run(_ context.Context, name string, args ...string) ([]byte, error) {
	c.runs = append(c.runs, append([]string{name}, args...))
	if c.fail {
		return nil, errors.New("exit status 1")
	}
	doc := map[string]any{}
	if data, err := os.ReadFile(c.path); err == nil {
		if err := json.Unmarshal(data, &doc); err != nil {
			return nil, err
		}
	}
	servers, _ := doc["mcpServers"].(map[string]any)
	if servers == nil {
		servers = map[string]any{}
	}
	switch args[1] {
	case "add-json":
		if servers[args[2]] != nil {
			return nil, errors.New("already exists")
		}
		var entry any
		if err := json.Unmarshal([]byte(args[3]), &entry); err != nil {
			return nil, err
		}
		servers[args[2]] = entry
	case "remove":
		delete(servers, args[2])
	}
	doc["mcpServers"] = servers
	data, err := json.MarshalIndent(doc, "", "  ")
	if err != nil {
		return nil, err
	}
	return nil, os.WriteFile(c.path, data, 0o600)
}

func withClaude(t *testing.T) (*machine, *fakeClaude) {
	t.Helper()
	m := newMachine(t)
	c := &fakeClaude{t: t, path: m.Home + "/.claude.json"}
	m.LookPath = func(name string) string {
		if name == "claude" {
			return "/usr/bin/claude"
		}
		return ""
	}
	m.Run = c.run
	return m, c
}

// The file that every Claude Code session rewrites is left to its own command.
func TestClaudeCommandIsPreferred(t *testing.T) {
	t.Parallel()
	m, c := withClaude(t)
	tg := target(t, "claude-code")
	m.install(tg, stdioServer(), nil)
	if len(c.runs) != 1 || c.runs[0][2] != "add-json" {
		t.Fatalf("runs %v", c.runs)
	}
	if again := m.install(tg, stdioServer(), nil); again.Changed() || len(c.runs) != 1 {
		t.Errorf("a second install ran %v", c.runs)
	}
	moved := stdioServer()
	moved.Command = "/new/abx"
	m.install(tg, moved, nil)
	if len(c.runs) != 3 || c.runs[1][2] != "remove" {
		t.Errorf("an update ran %v", c.runs)
	}
	m.uninstall(tg, nil)
	if got := m.read(c.path); strings.Contains(got, "agent-sandbox") {
		t.Errorf("left: %s", got)
	}
}

// Arguments are seen by every user: a literal goes into the file directly.
func TestClaudeCommandNeverGetsTheKey(t *testing.T) {
	t.Parallel()
	m, c := withClaude(t)
	tg := target(t, "claude-code")
	m.install(tg, stdioServer(), &ideinstall.Options{Secret: ideinstall.SecretLiteral})
	if len(c.runs) != 0 || !strings.Contains(m.read(c.path), testKey) {
		t.Errorf("runs %v", c.runs)
	}
	moved := stdioServer()
	moved.Command, moved.Secret.Value = "/new/abx", ""
	m.install(tg, moved, nil)
	for _, run := range c.runs {
		if strings.Contains(strings.Join(run, " "), testKey) {
			t.Errorf("ran %v", run)
		}
	}
}

func TestClaudeCommandThatFails(t *testing.T) {
	t.Parallel()
	m, c := withClaude(t)
	c.fail = true
	plan := m.install(target(t, "claude-code"), stdioServer(), nil)
	if !strings.Contains(m.read(c.path), "agent-sandbox") || !strings.Contains(strings.Join(plan.Notes, "\n"), "edited directly") {
		t.Errorf("notes %v", plan.Notes)
	}
}

// Project files are nobody's hot file.
func TestClaudeCommandOnlyForTheUserFile(t *testing.T) {
	t.Parallel()
	m, c := withClaude(t)
	m.install(target(t, "claude-code"), stdioServer(), &ideinstall.Options{Scope: ideinstall.ScopeProject})
	if len(c.runs) != 0 {
		t.Errorf("runs %v", c.runs)
	}
}
