package ideinstall_test

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/agentsandbox/agent-sandbox/ideinstall"
)

func TestSystem(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	env, err := ideinstall.System(dir)
	if err != nil {
		t.Fatal(err)
	}
	if env.GOOS != runtime.GOOS || env.Project != dir || !env.Exists(dir) || env.Exists(filepath.Join(dir, "x")) {
		t.Errorf("%+v", env)
	}
	if err := os.WriteFile(filepath.Join(dir, "Claude_a"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if got := env.Glob(filepath.Join(dir, "Claude_*")); len(got) != 1 {
		t.Errorf("glob: %v", got)
	}
	if env.LookPath("no-such-program") != "" {
		t.Error("a program that does not exist was found")
	}
	out, err := env.Run(t.Context(), os.Args[0], "-test.run=^$")
	if err != nil || !strings.Contains(string(out), "PASS") {
		t.Errorf("run: %q, %v", out, err)
	}
	if here, err := ideinstall.System(""); err != nil || !filepath.IsAbs(here.Project) {
		t.Errorf("working directory: %v, %v", here, err)
	}
}

// Messages name the thing and the way out.
func TestErrorMessages(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	_, noRemote := ideinstall.PlanInstall(m.Env, target(t, "claude"), httpServer(), nil)
	_, noPath := ideinstall.PlanInstall(m.Env, target(t, "lingma"), stdioServer(), nil)
	_, unknown := ideinstall.Select(m.Env, []string{"emacs"})
	noCommand := stdioServer()
	noCommand.Command = ""
	both := stdioServer()
	both.URL = "https://x/mcp"
	for want, err := range map[string]error{
		"Claude Desktop does not support transport http: add the URL under Settings > Connectors of the app": noRemote,
		"use --print and paste the entry":         noPath,
		"unknown target \"emacs\": use auto, all": unknown,
		"command: a path is needed":               noCommand.Validate(),
		"url: it goes with transport http":        both.Validate(),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	var uncertain *ideinstall.UncertainPathError
	if !errors.As(noPath, &uncertain) || len(uncertain.Candidates) == 0 {
		t.Errorf("error %v", noPath)
	}
}
