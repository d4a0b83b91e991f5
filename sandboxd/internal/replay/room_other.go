//go:build !linux

package replay

func (r *Room) launch() error { return ErrNoRoom }

func furnish() error { return ErrNoRoom }
