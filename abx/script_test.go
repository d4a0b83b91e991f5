package main_test

import (
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/agentsandbox/agent-sandbox/abx/internal/cli"
	"github.com/agentsandbox/agent-sandbox/sandboxd"
)

// TestMain makes this test binary act as abx where a script runs abx, and as
// the processes of a sandbox where sandboxd starts itself again.
func TestMain(m *testing.M) {
	sandboxd.Init()
	testscript.Main(m, map[string]func(){
		"abx": func() { os.Exit(cli.Main(os.Args)) },
	})
}

// TestScript runs the command lines of testdata/script as a user would type
// them, in an empty home and without any abx variable in the environment.
func TestScript(t *testing.T) {
	t.Parallel()
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(env *testscript.Env) error {
			env.Setenv("HOME", env.WorkDir+"/home")
			env.Setenv("XDG_CONFIG_HOME", env.WorkDir+"/home/.config")
			env.Setenv("XDG_STATE_HOME", env.WorkDir+"/home/.local/state")
			return os.MkdirAll(env.WorkDir+"/home", 0o755)
		},
		Condition:          condition,
		RequireUniqueNames: true,
	})
}

// condition knows [sandbox]: sandboxes can be made on this machine.
func condition(name string) (bool, error) {
	return name == "sandbox" && sandboxWorks(), nil
}
