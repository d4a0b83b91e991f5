//go:build !linux

package isolation

import "errors"

func runContained(AgentFunc) error { return errors.New("containers run Linux agents") }
