//go:build !linux

package isolation

import (
	"errors"

	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/reexec"
)

var systemRoles = reexec.Roles{}

func newNamespace(*Options) (Launcher, error) {
	return nil, errors.New("isolation namespace needs Linux: use docker")
}
