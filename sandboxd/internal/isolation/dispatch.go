package isolation

import (
	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/reexec"
)

// Roles of this executable inside a sandbox.
const roleAgent = "agent"

// Dispatch takes over the process when it was started as a part of a sandbox,
// and returns at once otherwise. It must run before anything else in main.
func Dispatch(agent AgentFunc) {
	reexec.Dispatch(reexec.Roles{
		roleAgent: func() error { return runAgent(agent) },
	})
}
