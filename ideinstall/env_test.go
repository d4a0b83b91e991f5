package ideinstall_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/agentsandbox/agent-sandbox/ideinstall"
)

// machine is a home and a project in temporary directories, with nothing of the
// real machine visible.
type machine struct {
	*ideinstall.Env
	t    *testing.T
	vars map[string]string
}

func newMachine(t *testing.T) *machine {
	t.Helper()
	m := &machine{t: t, vars: map[string]string{}}
	m.Env = &ideinstall.Env{
		GOOS: "linux", Home: t.TempDir(), Project: t.TempDir(),
		Getenv:   func(name string) string { return m.vars[name] },
		Exists:   func(path string) bool { _, err := os.Stat(path); return err == nil },
		Glob:     func(pattern string) []string { names, _ := filepath.Glob(pattern); return names },
		LookPath: func(string) string { return "" },
		Run: func(context.Context, string, ...string) ([]byte, error) {
			return nil, errors.New("no program may be started here")
		},
		Now: func() time.Time { return time.Date(2026, 12, 1, 14, 0, 0, 0, time.UTC) },
	}
	return m
}

// write makes a file with its directories.
func (m *machine) write(path, text string, mode os.FileMode) {
	m.t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		m.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		m.t.Fatal(err)
	}
	if err := os.Chmod(path, mode); err != nil {
		m.t.Fatal(err)
	}
}

func (m *machine) read(path string) string {
	m.t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		m.t.Fatal(err)
	}
	return string(data)
}

func (m *machine) mode(path string) os.FileMode {
	m.t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		m.t.Fatal(err)
	}
	return info.Mode().Perm()
}

// target finds a row of the table.
func target(t *testing.T, id string) *ideinstall.Target {
	t.Helper()
	found, err := ideinstall.Select(nil, []string{id})
	if err != nil {
		t.Fatal(err)
	}
	return found[0]
}

// path is the one file of a client in a scope.
func (m *machine) path(tg *ideinstall.Target, scope ideinstall.Scope) string {
	m.t.Helper()
	paths, err := tg.Paths(m.Env, scope)
	if err != nil {
		m.t.Fatal(err)
	}
	return paths[0]
}

const testKey = "e2b_test0key"

// stdioServer is what `abx mcp install` registers by default.
func stdioServer() *ideinstall.Server {
	return &ideinstall.Server{
		Name: "agent-sandbox", Transport: ideinstall.TransportStdio,
		Command: "/opt/abx/bin/abx", Args: []string{"mcp", "start"},
		Secret: ideinstall.Secret{Variable: "ABX_SANDBOX_API_KEY", Value: testKey},
	}
}

func httpServer() *ideinstall.Server {
	return &ideinstall.Server{
		Name: "agent-sandbox", Transport: ideinstall.TransportHTTP, URL: "https://mcp.example.com/mcp",
		Secret: ideinstall.Secret{Variable: "ABX_MCP_AUTH_TOKEN", Value: testKey},
	}
}

// install plans and applies, and wants both to work.
func (m *machine) install(tg *ideinstall.Target, s *ideinstall.Server, opts *ideinstall.Options) *ideinstall.Plan {
	m.t.Helper()
	plan, err := ideinstall.PlanInstall(m.Env, tg, s, opts)
	if err != nil {
		m.t.Fatal(err)
	}
	if err := plan.Apply(context.Background()); err != nil {
		m.t.Fatal(err)
	}
	return plan
}

func (m *machine) uninstall(tg *ideinstall.Target, opts *ideinstall.Options) *ideinstall.Plan {
	m.t.Helper()
	plan, err := ideinstall.PlanUninstall(m.Env, tg, "agent-sandbox", opts)
	if err != nil {
		m.t.Fatal(err)
	}
	if err := plan.Apply(context.Background()); err != nil {
		m.t.Fatal(err)
	}
	return plan
}
