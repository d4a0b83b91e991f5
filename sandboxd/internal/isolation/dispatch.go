package isolation

import (
	"maps"

	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/reexec"
)

// roleAgent is the role of this executable that serves requests inside.
const roleAgent = "agent"

// Dispatch takes over the process when it was started as a part of a sandbox,
// and returns at once otherwise. It must run before anything else in main.
func Dispatch(agent AgentFunc) {
	roles := reexec.Roles{
		roleAgent: func() error { return runAgent(agent) },
	}
	maps.Copy(roles, systemRoles)
	reexec.Dispatch(roles)
}
