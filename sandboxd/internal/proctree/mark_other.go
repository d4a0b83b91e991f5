//go:build !linux

package proctree

func (m Mark) put() (restore func(), err error) { return func() {}, nil }

// OwnSelf does nothing: this system has no mark that survives.
func OwnSelf(Mark) error { return nil }

// Processes selects nothing: this system has no mark that survives.
func (m Mark) Processes() ([]Process, error) { return nil, nil }

// OwnedBy selects nothing: this system has no mark that survives.
func OwnedBy(Mark) Selector { return func() ([]Process, error) { return nil, nil } }
