package isolation

import (
	"maps"

	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/reexec"
)

// Roles of this executable that serve requests inside a sandbox.
const (
	roleAgent     = "agent"
	roleContained = "contained" // in a container
)

// Dispatch takes over the process when it was started as a part of a sandbox,
// and returns at once otherwise. It must run before anything else in main.
func Dispatch(agent AgentFunc) {
	roles := reexec.Roles{
		roleAgent:     func() error { return runAgent(agent) },
		roleContained: func() error { return runContained(agent) },
	}
	maps.Copy(roles, systemRoles)
	reexec.Dispatch(roles)
}
