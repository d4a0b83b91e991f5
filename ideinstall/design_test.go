package ideinstall_test

import (
	"testing"

	"github.com/agentsandbox/agent-sandbox/ideinstall"
)

// The targets with exact output, written into a fresh machine.
func TestDesignDocumentTargets(t *testing.T) {
	t.Parallel()
	withKey := `{
  "mcpServers": {
    "agent-sandbox": {
      "command": "/opt/abx/bin/abx",
      "args": ["mcp", "start"],
      "env": {
        "ABX_SANDBOX_API_KEY": "` + testKey + `"
      }
    }
  }
}
`
	tests := map[string]struct {
		path string // below the home or the project
		want string
	}{
		"cursor": {"~/.cursor/mcp.json", withKey},
		"claude": {"~/.config/Claude/claude_desktop_config.json", withKey},
		"vscode": {".vscode/mcp.json", `{
  "servers": {
    "agent-sandbox": {
      "type": "stdio",
      "command": "/opt/abx/bin/abx",
      "args": ["mcp", "start"]
    }
  }
}
`},
	}
	for id, tt := range tests {
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			m := newMachine(t)
			plan := m.install(target(t, id), stdioServer(), nil)
			path := plan.Changes[0].Path
			if got := m.Display(path); got != tt.path {
				t.Errorf("path %s, want %s", got, tt.path)
			}
			if got := m.read(path); got != tt.want {
				t.Errorf("got:\n%s\nwant:\n%s", got, tt.want)
			}
		})
	}
}

func TestModesOfNewFiles(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	if got := m.mode(m.install(target(t, "cursor"), stdioServer(), nil).Changes[0].Path); got != 0o600 {
		t.Errorf("user file has mode %o", got)
	}
	if got := m.mode(m.install(target(t, "vscode"), stdioServer(), nil).Changes[0].Path); got&^0o644 != 0 {
		t.Errorf("project file has mode %o", got)
	}
}

func TestSecondInstallChangesNothing(t *testing.T) {
	t.Parallel()
	for _, tg := range ideinstall.Targets() {
		t.Run(tg.ID, func(t *testing.T) {
			t.Parallel()
			m := newMachine(t)
			for _, scope := range tg.Scopes() {
				m.prepare(tg)
				opts := &ideinstall.Options{Scope: scope}
				m.install(tg, stdioServer(), opts)
				again := m.install(tg, stdioServer(), opts)
				if again.Changed() {
					t.Errorf("%s: second plan wants %s", scope, again.Changes[0].Action)
				}
			}
		})
	}
}

// prepare makes the directories of clients that are never guessed at.
func (m *machine) prepare(tg *ideinstall.Target) {
	m.t.Helper()
	dir := map[string]string{"qoder": "Qoder/SharedClientCache", "lingma": "Lingma/SharedClientCache", "trae": "Trae/User"}[tg.ID]
	if dir != "" {
		m.write(m.Home+"/.config/"+dir+"/state", "", 0o600)
	}
}
