package ideinstall_test

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agentsandbox/agent-sandbox/ideinstall"
)

var update = flag.Bool("update", false, "write the golden files of testdata/clients anew; review the diff against the vendor's documentation")

// checkGolden compares with a file of testdata/clients. A missing one is a
// failure: a client without its folder is not done.
func checkGolden(t *testing.T, id, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", "clients", id, name)
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v (run the test with -update and review the file)", err)
	}
	if got != string(want) {
		t.Errorf("%s differs; got:\n%s\nwant:\n%s", path, got, want)
	}
}

// fakeEnv is a machine of another system on which nothing exists.
func fakeEnv(goos string) *ideinstall.Env {
	env := &ideinstall.Env{
		GOOS: goos, Home: "/home/u", Project: "/work/p",
		Getenv:   func(string) string { return "" },
		Exists:   func(string) bool { return false },
		Glob:     func(string) []string { return nil },
		LookPath: func(string) string { return "" },
	}
	switch goos {
	case "darwin":
		env.Home = "/Users/u"
	case "windows":
		env.Home, env.Project = `C:\Users\u`, `C:\work\p`
	}
	return env
}

// Where each client's files lie on each system. A question mark stands before
// places that are tried but never guessed at.
func TestGoldenPaths(t *testing.T) {
	t.Parallel()
	for _, tg := range ideinstall.Targets() {
		t.Run(tg.ID, func(t *testing.T) {
			t.Parallel()
			var b strings.Builder
			for _, scope := range tg.Scopes() {
				for _, goos := range []string{"linux", "darwin", "windows"} {
					fmt.Fprintf(&b, "%-7s  %-7s  %s\n", scope, goos, pathsText(t, tg, scope, goos))
				}
			}
			checkGolden(t, tg.ID, "paths.txt", b.String())
		})
	}
}

func pathsText(t *testing.T, tg *ideinstall.Target, scope ideinstall.Scope, goos string) string {
	t.Helper()
	paths, err := tg.Paths(fakeEnv(goos), scope)
	var uncertain *ideinstall.UncertainPathError
	if errors.As(err, &uncertain) {
		return "? " + strings.Join(uncertain.Candidates, "  ? ")
	}
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(paths, "  ")
}

// What each client's file says afterwards, per scope and transport, with the
// secret that the row's policy gives.
func TestGoldenFiles(t *testing.T) {
	t.Parallel()
	for _, tg := range ideinstall.Targets() {
		for _, scope := range tg.Scopes() {
			for _, server := range []*ideinstall.Server{stdioServer(), httpServer()} {
				name := fmt.Sprintf("%s-%s", scope, server.Transport)
				t.Run(tg.ID+"/"+name, func(t *testing.T) {
					t.Parallel()
					goldenFile(t, tg, scope, server, name)
				})
			}
		}
	}
}

func goldenFile(t *testing.T, tg *ideinstall.Target, scope ideinstall.Scope, server *ideinstall.Server, name string) {
	t.Helper()
	m := newMachine(t)
	m.prepare(tg)
	opts := &ideinstall.Options{Scope: scope}
	if server.Transport == ideinstall.TransportHTTP && !tg.Remote() {
		_, err := ideinstall.PlanInstall(m.Env, tg, server, opts)
		var unsupported *ideinstall.UnsupportedError
		if !errors.As(err, &unsupported) || unsupported.Hint == "" {
			t.Errorf("error %v, want an UnsupportedError with a hint", err)
		}
		return
	}
	path := m.install(tg, server, opts).Changes[0].Path
	installed := m.read(path)
	checkGolden(t, tg.ID, name+filepath.Ext(path), installed)
	m.uninstall(tg, opts)
	if _, err := os.Stat(path); err != nil && tg.ID != "continue" {
		t.Errorf("uninstall removed the file: %v", err)
	} else if err == nil && strings.Contains(m.read(path), "agent-sandbox") {
		t.Errorf("uninstall left:\n%s", m.read(path))
	}
}
