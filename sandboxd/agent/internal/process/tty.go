package process

import (
	"math"
	"os"

	"github.com/creack/pty"

	"github.com/agentsandbox/agent-sandbox/sandboxclient/envd/process"
	"github.com/agentsandbox/agent-sandbox/sandboxd/agent/internal/account"
)

// openTTY gives the command a terminal for input and both outputs. It returns
// the command's side, to be closed after the start.
func (p *proc) openTTY(u *account.User, size *process.PTY_Size) ([]*os.File, error) {
	master, slave, err := pty.Open()
	if err != nil {
		return nil, err
	}
	child := []*os.File{slave}
	if master, err = pollable(master); err != nil {
		return child, err
	}
	// Programs that open their terminal by name need to own it; without the
	// privilege to give it away it is ours, and so theirs, anyway.
	_ = slave.Chown(u.UID, u.GID)
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = slave, slave, slave
	p.input.tty, p.input.file = true, master
	p.pumps = []*pump{{file: master, chunk: ttyChunk, wrap: ptyEvent}}
	if size == nil {
		return child, nil
	}
	return child, p.resize(size)
}

func (p *proc) resize(size *process.PTY_Size) error {
	tty := p.input.open()
	if !p.input.tty || tty == nil {
		return errNoTTY
	}
	return setSize(tty, size)
}

// cells limits a dimension to what a terminal can have.
func cells(n uint32) uint16 { return uint16(min(n, math.MaxUint16)) }
