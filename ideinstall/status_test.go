package ideinstall_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/agentsandbox/agent-sandbox/ideinstall"
)

func TestStates(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		file   string // content of Cursor's file; "-" for none
		state  ideinstall.State
		reason string
		secret ideinstall.SecretMode
	}{
		"no client":        {"-", ideinstall.StateNotDetected, "", ""},
		"no entry":         {`{"mcpServers": {"x": {}}}`, ideinstall.StateNotInstalled, "", ""},
		"empty file":       {"", ideinstall.StateNotInstalled, "", ""},
		"broken":           {"{", ideinstall.StateUnknown, "not valid JSON (line 1", ""},
		"entry is text":    {`{"mcpServers": {"agent-sandbox": "x"}}`, ideinstall.StateUnknown, "not an object", ""},
		"installed":        {`{"mcpServers": {"agent-sandbox": {"command": "ABX", "args": ["mcp", "start"], "env": {"ABX_SANDBOX_API_KEY": "k"}}}}`, ideinstall.StateInstalled, "", ideinstall.SecretLiteral},
		"local":            {`{"mcpServers": {"agent-sandbox": {"command": "ABX", "args": ["mcp", "start", "--local"]}}}`, ideinstall.StateInstalled, "", ideinstall.SecretNone},
		"reference":        {`{"mcpServers": {"agent-sandbox": {"command": "ABX", "args": ["mcp", "start"], "env": {"ABX_SANDBOX_API_KEY": "${env:K}"}}}}`, ideinstall.StateInstalled, "", ideinstall.SecretEnv},
		"other program":    {`{"mcpServers": {"agent-sandbox": {"command": "abx", "args": ["mcp", "start"]}}}`, ideinstall.StateOutdated, "it runs abx", ideinstall.SecretNone},
		"program is gone":  {`{"mcpServers": {"agent-sandbox": {"command": "/gone/abx", "args": ["mcp", "start"]}}}`, ideinstall.StateOutdated, "the program is gone: /gone/abx", ideinstall.SecretNone},
		"other arguments":  {`{"mcpServers": {"agent-sandbox": {"command": "ABX", "args": ["serve"]}}}`, ideinstall.StateOutdated, "the arguments differ", ideinstall.SecretNone},
		"disabled":         {`{"mcpServers": {"agent-sandbox": {"command": "ABX", "args": ["mcp", "start"], "disabled": true}}}`, ideinstall.StateDisabled, "", ideinstall.SecretNone},
		"enabled is false": {`{"mcpServers": {"agent-sandbox": {"command": "ABX", "args": ["mcp", "start"], "enabled": false}}}`, ideinstall.StateDisabled, "", ideinstall.SecretNone},
		"remote":           {`{"mcpServers": {"agent-sandbox": {"url": "https://x/mcp", "headers": {"Authorization": "Bearer ${env:T}"}}}}`, ideinstall.StateInstalled, "", ideinstall.SecretEnv},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := newMachine(t)
			tg := target(t, "cursor")
			program := filepath.Join(m.Project, "abx")
			m.write(program, "", 0o755)
			if tt.file != "-" {
				m.write(m.path(tg, "user"), strings.ReplaceAll(tt.file, "ABX\"", program+"\""), 0o600)
			}
			s := stdioServer()
			s.Command = program
			got := ideinstall.Inspect(m.Env, tg, ideinstall.ScopeUser, s)
			if len(got) != 1 || got[0].State != tt.state || !strings.Contains(got[0].Reason, tt.reason) || got[0].Secret != tt.secret {
				t.Errorf("got %+v, want %s (%s), secret %q", got, tt.state, tt.reason, tt.secret)
			}
			if tt.reason == "" && got[0].Reason != "" {
				t.Errorf("reason %q", got[0].Reason)
			}
		})
	}
}

func TestStatusWarnings(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	tg := target(t, "cursor")
	for scope, want := range map[ideinstall.Scope][]string{
		ideinstall.ScopeUser:    {"other users can read", `"twin"`},
		ideinstall.ScopeProject: {"project file", `"twin"`},
	} {
		m.write(m.path(tg, scope), `{"mcpServers": {
			"agent-sandbox": {"command": "/opt/abx/bin/abx", "env": {"ABX_SANDBOX_API_KEY": "`+testKey+`"}},
			"twin": {"command": "abx", "args": ["mcp", "start"]}}}`, 0o644)
		warnings := strings.Join(ideinstall.Inspect(m.Env, tg, scope, stdioServer())[0].Warnings, "\n")
		for _, w := range want {
			if !strings.Contains(warnings, w) {
				t.Errorf("%s: %q lacks %q", scope, warnings, w)
			}
		}
		if strings.Contains(warnings, testKey) {
			t.Error("a warning holds the key")
		}
	}
}

// After an install every client is "installed", after an uninstall it is not.
func TestStatusOfEveryClient(t *testing.T) {
	t.Parallel()
	for _, tg := range ideinstall.Targets() {
		for _, scope := range tg.Scopes() {
			m := newMachine(t)
			m.prepare(tg)
			s := stdioServer()
			s.Command = filepath.Join(m.Project, "abx")
			m.write(s.Command, "", 0o755)
			opts := &ideinstall.Options{Scope: scope}
			m.install(tg, s, opts)
			if got := ideinstall.Inspect(m.Env, tg, scope, s)[0]; got.State != ideinstall.StateInstalled || got.Transport != ideinstall.TransportStdio {
				t.Errorf("%s %s: %+v", tg.ID, scope, got)
			}
			m.uninstall(tg, opts)
			if got := ideinstall.Inspect(m.Env, tg, scope, s)[0]; got.State != ideinstall.StateNotInstalled && got.State != ideinstall.StateNotDetected {
				t.Errorf("%s %s: %+v", tg.ID, scope, got)
			}
		}
	}
}

// A client without a certain path is unknown only where the client itself is.
func TestStatusWithoutACertainPath(t *testing.T) {
	t.Parallel()
	tg := target(t, "qoder")
	m := newMachine(t)
	if got := ideinstall.Inspect(m.Env, tg, "user", stdioServer()); got[0].State != ideinstall.StateNotDetected {
		t.Errorf("nothing there: %+v", got)
	}
	m.write(m.Home+"/.config/Qoder/state", "", 0o600)
	got := ideinstall.Inspect(m.Env, tg, "user", stdioServer())
	if got[0].State != ideinstall.StateUnknown || !strings.Contains(got[0].Reason, "--print") {
		t.Errorf("only the client: %+v", got)
	}
}
