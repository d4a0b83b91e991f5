package sandboxclient

import (
	"context"

	"github.com/agentsandbox/agent-sandbox/sandboxclient/envd/process"
	"github.com/agentsandbox/agent-sandbox/sandboxclient/envd/process/processconnect"
)

// ProcessInfo describes a running process that envd started.
type ProcessInfo struct {
	PID  uint32
	Tag  string // "startCmd" marks the start command of a template
	Cmd  string
	Args []string
	Envs map[string]string // those of its start alone
	Cwd  string
}

// List lists the processes that envd started and that still run, in no order.
func (c *Commands) List(ctx context.Context) ([]*ProcessInfo, error) {
	call := &rpcCall{op: "list processes", idempotent: true}
	res, err := processRPC(ctx, c.sandbox, call, processconnect.ProcessClient.List, &process.ListRequest{})
	if err != nil {
		return nil, err
	}
	list := make([]*ProcessInfo, len(res.GetProcesses()))
	for i, p := range res.GetProcesses() {
		config := p.GetConfig()
		list[i] = &ProcessInfo{
			PID: p.GetPid(), Tag: p.GetTag(), Cmd: config.GetCmd(), Args: config.GetArgs(),
			Envs: config.GetEnvs(), Cwd: config.GetCwd(),
		}
	}
	return list, nil
}

// find gives the listed process with this pid, nil when there is none.
func (c *Commands) find(ctx context.Context, pid uint32) (*ProcessInfo, error) {
	list, err := c.List(ctx)
	if err != nil {
		return nil, err
	}
	for _, info := range list {
		if info.PID == pid {
			return info, nil
		}
	}
	return nil, nil
}

// Kill kills a listed process and everything that it started. An unknown pid
// is CodeNotFound.
func (c *Commands) Kill(ctx context.Context, pid uint32) error {
	const op = "kill process"
	ctx, cancel := c.sandbox.client.withDefaultDeadline(ctx, 0)
	defer cancel()
	info, err := c.find(ctx, pid)
	if err != nil {
		return err
	}
	if info == nil {
		return &Error{Op: op, Code: CodeNotFound, Resource: ResourceProcess, SandboxID: c.sandbox.ID, Message: "envd runs no process with this pid"}
	}
	return c.signalTree(ctx, &tree{pid: pid, runID: info.Envs[runVariable]}, SIGKILL)
}
