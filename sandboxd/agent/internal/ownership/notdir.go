package ownership

import (
	"errors"
	"syscall"
)

// isNotDir tells that a parent is a file; the walk upwards then finds it.
func isNotDir(err error) bool { return errors.Is(err, syscall.ENOTDIR) }
