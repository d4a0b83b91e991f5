//go:build !linux && !darwin

package proctree

// Table lists the processes that this process can see.
func Table() ([]Process, error) { return nil, ErrUnsupported }
