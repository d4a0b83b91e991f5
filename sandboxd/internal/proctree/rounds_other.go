//go:build !unix

package proctree

import "context"

// Frozen is what Stop stopped.
type Frozen struct{}

// Kill is not supported on this system.
func Kill(context.Context, Selector) error { return ErrUnsupported }

// Stop is not supported on this system.
func Stop(context.Context, Selector) (*Frozen, error) { return nil, ErrUnsupported }

// Resume does nothing.
func (*Frozen) Resume() {}
