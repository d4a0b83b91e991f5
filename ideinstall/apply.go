package ideinstall

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/agentsandbox/agent-sandbox/ideinstall/internal/safefile"
)

// attempts bounds how often a file that keeps changing is planned anew.
const attempts = 3

// Apply writes the files of the plan. A file that changed since the plan was
// made is planned again; one that must be refused then stays as it is. An error
// in one file does not keep the others from being written.
func (p *Plan) Apply(ctx context.Context) error {
	var errs []error
	for _, c := range p.Changes {
		if c.Action == ActionNone {
			continue
		}
		if err := c.apply(ctx); err != nil {
			errs = append(errs, &RefusedError{Path: c.Path, Err: err})
		}
	}
	return errors.Join(errs...)
}

// apply holds the lock from the first look at the file to the rename.
func (c *Change) apply(ctx context.Context) error {
	state := c.plan.env.stateDir()
	if state == "" {
		return errors.New("no place for locks and backups: set HOME or XDG_STATE_HOME to an absolute path")
	}
	unlock, err := safefile.Lock(ctx, filepath.Join(state, "locks"), c.file.Path)
	if err != nil {
		return err
	}
	defer unlock()
	if done, err := c.applyByCommand(ctx); done || err != nil {
		return err
	}
	for range attempts {
		if err = c.write(state); !errors.Is(err, safefile.ErrChanged) {
			return err
		}
	}
	return err
}

// write plans again from the bytes that are there now and replaces them.
func (c *Change) write(state string) error {
	if err := c.read(); err != nil || c.Action == ActionNone {
		return err
	}
	if c.file.Exists && !c.plan.opts.NoBackup {
		backup, err := c.file.Backup(filepath.Join(state, "ide-backups"), c.plan.env.Now())
		if err != nil {
			return err
		}
		c.Backup = backup
	}
	if c.delete {
		return c.file.Remove()
	}
	return c.file.Replace(c.after, c.replaceOptions())
}

// applyByCommand lets the client's own program make the change and checks that
// it did. A program that fails, or that does something else, leaves the change
// to write.
func (c *Change) applyByCommand(ctx context.Context) (done bool, err error) {
	cmd := c.commandFor()
	if cmd == nil {
		return false, nil
	}
	if err := c.runCommand(ctx, cmd); err != nil {
		c.plan.Notes = append(c.plan.Notes, fmt.Sprintf("%v; the file was edited directly", err))
		return false, nil
	}
	action := c.Action
	if err := c.read(); err != nil {
		return false, err
	}
	if c.Action != ActionNone {
		return false, nil
	}
	c.Action = action
	return true, nil
}
