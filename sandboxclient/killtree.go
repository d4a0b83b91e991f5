package sandboxclient

import (
	"bytes"
	"context"
	_ "embed"
	"fmt"
	"strconv"

	"github.com/agentsandbox/agent-sandbox/sandboxclient/envd/process"
	"github.com/agentsandbox/agent-sandbox/sandboxclient/envd/process/processconnect"
)

// killTreeScript finds a process tree through /proc and signals it. envd's own
// signal and deadline reach only the shell, not what it started.
//
//go:embed killtree.sh
var killTreeScript string

// tree names the processes that one command started.
type tree struct {
	pid   uint32 // of the shell; 0 when not known
	runID string // value of runVariable; "" when not known
	user  string
}

// signalTree signals every process of t from within the sandbox, as t's user,
// and as root where that was not enough (sudo). For SIGKILL an error means that
// some may be left.
func (c *Commands) signalTree(ctx context.Context, t *tree, sig Signal) error {
	err := c.signalTreeAs(ctx, t, sig, t.user)
	if CodeOf(err) == CodeInternal && t.user != "root" && c.signalTreeAs(ctx, t, sig, "root") == nil {
		return nil
	}
	return err
}

func (c *Commands) signalTreeAs(ctx context.Context, t *tree, sig Signal, user string) error {
	mark := ""
	if t.runID != "" {
		mark = runVariable + "=" + t.runID
	}
	spec := &processSpec{op: "signal processes", user: user}
	p := newProcess(ctx, c.sandbox, spec, "", "")
	request := &process.StartRequest{Stdin: new(bool), Process: &process.ProcessConfig{
		Cmd:  "/bin/sh",
		Args: []string{"-c", killTreeScript, "sh", strconv.Itoa(int(sig)), strconv.FormatUint(uint64(t.pid), 10), mark},
	}}
	go p.follow(processconnect.ProcessStartProcedure, request)
	select {
	case <-p.streamEnd:
	case <-ctx.Done():
		p.leave(errLeft)
		<-p.streamEnd
	}
	switch code := p.exitCode(); {
	case code == 0:
		return nil
	case code == exitUnknown && p.err != nil:
		return p.err
	default:
		return &Error{Op: spec.op, Code: CodeInternal, SandboxID: c.sandbox.ID, Err: fmt.Errorf("some survive (exit %d) %s", code, bytes.TrimSpace(p.stderr.kept.output().Head))}
	}
}
