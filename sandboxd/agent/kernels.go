package agent

import (
	"cmp"

	"github.com/agentsandbox/agent-sandbox/sandboxd/agent/internal/environ"
	"github.com/agentsandbox/agent-sandbox/sandboxd/agent/interpreter"
)

// newInterpreter runs kernels as the default user, in its directory, with the
// variables that the sandbox has when a kernel starts.
func newInterpreter(cfg *Config, e *envd) *interpreter.Server {
	u := cfg.defaultUser()
	base := cfg.baseEnv()
	return interpreter.New(&interpreter.Config{
		Cwd:         cmp.Or(cfg.Workdir, u.Home),
		Env:         func() []string { return environ.List(environ.Of(&u, base, e.settings.Get().Envs)) },
		SysProcAttr: u.Attr(),
		Without:     cfg.Profile.without(),
	})
}
