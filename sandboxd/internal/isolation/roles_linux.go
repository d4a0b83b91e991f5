package isolation

import "github.com/agentsandbox/agent-sandbox/sandboxd/internal/reexec"

const (
	roleInit       = "init"
	roleSupervisor = "supervisor"
)

// systemRoles are those that only this system has.
var systemRoles = reexec.Roles{
	roleInit:       runInit,
	roleSupervisor: runSupervisor,
}
