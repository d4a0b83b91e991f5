package ideinstall_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agentsandbox/agent-sandbox/ideinstall"
)

// mnemoverse/mcp-memory-server#126: a project file gets no literal by itself,
// and no file gets one when the server finds the key without it, save the two
// that are specified to.
func TestAutoSecret(t *testing.T) {
	t.Parallel()
	for _, tg := range ideinstall.Targets() {
		for _, scope := range tg.Scopes() {
			for _, stored := range []bool{false, true} {
				m := newMachine(t)
				m.prepare(tg)
				s := stdioServer()
				s.Secret.Stored = stored
				text := m.read(m.install(tg, s, &ideinstall.Options{Scope: scope}).Changes[0].Path)
				specified := scope == ideinstall.ScopeUser && (tg.ID == "cursor" || tg.ID == "claude")
				literal := strings.Contains(text, testKey)
				switch {
				case specified && !literal:
					t.Errorf("%s %s: the key is missing", tg.ID, scope)
				case literal && (scope == ideinstall.ScopeProject || stored && !specified):
					t.Errorf("%s %s, stored %v: the file holds the key:\n%s", tg.ID, scope, stored, text)
				case stored && !specified && strings.Contains(text, "ABX_SANDBOX_API_KEY"):
					t.Errorf("%s %s: a reference that is not needed:\n%s", tg.ID, scope, text)
				}
			}
		}
	}
}

func TestWithoutAKeyThereIsNoSecret(t *testing.T) {
	t.Parallel()
	for _, tg := range ideinstall.Targets() {
		m := newMachine(t)
		m.prepare(tg)
		s := stdioServer()
		s.Secret.Value = ""
		plan := m.install(tg, s, nil)
		if text := m.read(plan.Changes[0].Path); strings.Contains(text, "ABX_") || plan.SecretMode() != ideinstall.SecretNone {
			t.Errorf("%s: %s", tg.ID, text)
		}
	}
}

func TestSecretModes(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		target string
		mode   ideinstall.SecretMode
		scope  ideinstall.Scope
		want   string // in the file
	}{
		"cursor reference":      {"cursor", "env", "user", `"ABX_SANDBOX_API_KEY": "${env:ABX_SANDBOX_API_KEY}"`},
		"cursor none":           {"cursor", "none", "user", `"args": ["mcp", "start"]`},
		"vscode input":          {"vscode", "input", "project", `"ABX_SANDBOX_API_KEY": "${input:abx-secret}"`},
		"vscode reference":      {"vscode", "env", "user", `"${env:ABX_SANDBOX_API_KEY}"`},
		"claude-code reference": {"claude-code", "env", "project", `"${ABX_SANDBOX_API_KEY}"`},
		"codex literal":         {"codex", "literal", "user", `env = { ABX_SANDBOX_API_KEY = "` + testKey + `" }`},
		"zed literal":           {"zed", "literal", "user", testKey},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := newMachine(t)
			path := m.install(target(t, tt.target), stdioServer(), &ideinstall.Options{Secret: tt.mode, Scope: tt.scope}).Changes[0].Path
			if text := m.read(path); !strings.Contains(text, tt.want) {
				t.Errorf("%s is not in\n%s", tt.want, text)
			}
		})
	}
}

func TestSecretMistakes(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		target string
		mode   ideinstall.SecretMode
		key    string
	}{
		"input elsewhere":         {"cursor", "input", testKey},
		"no reference":            {"claude", "env", testKey},
		"literal without a value": {"cursor", "literal", ""},
		"unknown mode":            {"cursor", "maybe", testKey},
		"line break in the key":   {"cursor", "literal", "a\nb"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := stdioServer()
			s.Secret.Value = tt.key
			_, err := ideinstall.PlanInstall(newMachine(t).Env, target(t, tt.target), s, &ideinstall.Options{Secret: tt.mode})
			var invalid *ideinstall.InvalidError
			var unsupported *ideinstall.UnsupportedError
			if !errors.As(err, &invalid) && !errors.As(err, &unsupported) {
				t.Errorf("error %v", err)
			}
		})
	}
}

// A literal in a project that git would publish needs force.
func TestLiteralUnderGit(t *testing.T) {
	t.Parallel()
	for _, ignored := range []bool{true, false} {
		m := newMachine(t)
		m.write(filepath.Join(m.Project, ".git", "HEAD"), "ref: refs/heads/main\n", 0o644)
		var asked []string
		m.Run = func(_ context.Context, name string, args ...string) ([]byte, error) {
			asked = append([]string{name}, args...)
			if ignored {
				return nil, nil
			}
			return nil, errors.New("exit status 1")
		}
		tg := target(t, "cursor")
		opts := &ideinstall.Options{Scope: ideinstall.ScopeProject, Secret: ideinstall.SecretLiteral}
		_, err := ideinstall.PlanInstall(m.Env, tg, stdioServer(), opts)
		if (err == nil) != ignored {
			t.Errorf("ignored %v: error %v", ignored, err)
		}
		if len(asked) == 0 || asked[0] != "git" || strings.Contains(strings.Join(asked, " "), testKey) {
			t.Errorf("asked %v", asked)
		}
		opts.Force = true
		plan := m.install(tg, stdioServer(), opts)
		if len(plan.Notes) == 0 {
			t.Error("no warning")
		}
	}
}

// lastmile-ai/mcp-agent#669: neither our key nor anybody else's is shown.
func TestDiffMasksSecrets(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	tg := target(t, "cursor")
	m.write(m.path(tg, "user"), `{
  "mcpServers": {
    "a": {
      "command": "x",
      "args": ["--api-key", "sk-argument", "--token=sk-equals", "-v"],
      "env": { "GITHUB_TOKEN": "sk-env\u0041", "PASSWORD": "p1", "MODE": "fast", "REF_KEY": "${env:REF_KEY}" },
      "headers": { "Authorization": "Bearer sk-bearer" },
      "url": "https://u:sk-userinfo@x.example/?access_token=sk-query"
    }
  }
}
`, 0o600)
	plan, err := ideinstall.PlanInstall(m.Env, tg, stdioServer(), nil)
	if err != nil {
		t.Fatal(err)
	}
	diff := plan.Changes[0].Diff()
	for _, secret := range []string{testKey, "sk-", `"p1"`} {
		if strings.Contains(diff, secret) {
			t.Errorf("the diff shows %s:\n%s", secret, diff)
		}
	}
	m.uninstallDiff(tg, "fast")
	for _, want := range []string{`"ABX_SANDBOX_API_KEY": "***"`, "agent-sandbox"} {
		if !strings.Contains(diff, want) {
			t.Errorf("the diff lacks %s:\n%s", want, diff)
		}
	}
}

// uninstallDiff wants a diff whose context is readable and clean.
func (m *machine) uninstallDiff(tg *ideinstall.Target, want string) {
	m.t.Helper()
	m.install(tg, stdioServer(), nil)
	plan, err := ideinstall.PlanUninstall(m.Env, tg, "agent-sandbox", nil)
	if err != nil {
		m.t.Fatal(err)
	}
	if diff := plan.Changes[0].Diff(); strings.Contains(diff, testKey) || strings.Contains(diff, "sk-") {
		m.t.Errorf("the diff shows a secret (wanted %s):\n%s", want, diff)
	}
}

// Whatever fails, no message holds the key.
func TestNoMessageHoldsTheKey(t *testing.T) {
	t.Parallel()
	for _, tg := range ideinstall.Targets() {
		m := newMachine(t)
		m.prepare(tg)
		path := m.path(tg, tg.DefaultScope)
		m.write(path, `{"mcpServers": "`+testKey, 0o644)
		_, err := ideinstall.PlanInstall(m.Env, tg, stdioServer(), nil)
		if err == nil || strings.Contains(err.Error(), testKey) {
			t.Errorf("%s: error %v", tg.ID, err)
		}
		os.Remove(path)
		plan := m.install(tg, stdioServer(), nil)
		for _, note := range plan.Notes {
			if strings.Contains(note, testKey) {
				t.Errorf("%s: note %q", tg.ID, note)
			}
		}
	}
}
