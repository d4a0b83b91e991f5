package sandboxclient

import (
	"context"
	"io"

	"github.com/agentsandbox/agent-sandbox/sandboxclient/envd/process"
)

// stdinChunk bounds one message of input.
const stdinChunk = 64 << 10

// feed sends all of r to the process, then closes its stdin. It ends with the
// stream: input that the process does not take is no error of the run.
func (p *Process) feed(r io.Reader) {
	buffer := make([]byte, stdinChunk)
	for {
		n, err := r.Read(buffer)
		if n > 0 && p.SendStdin(p.stream, buffer[:n]) != nil {
			return
		}
		if err != nil {
			_ = p.CloseStdin(p.stream)
			return
		}
	}
}

// SendStdin sends data to the process's stdin, or types it into its terminal.
func (p *Process) SendStdin(ctx context.Context, data []byte) error {
	for len(data) > 0 {
		chunk := data[:min(len(data), stdinChunk)]
		if err := p.sendInput(ctx, chunk); err != nil {
			return err
		}
		data = data[len(chunk):]
	}
	return nil
}

func (p *Process) sendInput(ctx context.Context, data []byte) error {
	input := &process.ProcessInput{Input: &process.ProcessInput_Stdin{Stdin: data}}
	if p.spec.pty != nil {
		input = &process.ProcessInput{Input: &process.ProcessInput_Pty{Pty: data}}
	}
	call := &rpcCall{op: "send input", user: p.spec.user, resource: ResourceProcess}
	_, err := unary(ctx, p.sandbox, call, func(c *rpcClients) func(context.Context, *process.SendInputRequest) (*process.SendInputResponse, error) {
		return c.process.SendInput
	}, &process.SendInputRequest{Process: selector(p.pid), Input: input})
	return err
}

// CloseStdin ends the process's stdin. It may be called again; a terminal has
// no end of input (send it the byte 4). Needs envd 0.5.2.
func (p *Process) CloseStdin(ctx context.Context) error {
	call := &rpcCall{op: "close stdin", user: p.spec.user, resource: ResourceProcess, idempotent: true}
	_, err := unary(ctx, p.sandbox, call, func(c *rpcClients) func(context.Context, *process.CloseStdinRequest) (*process.CloseStdinResponse, error) {
		return c.process.CloseStdin
	}, &process.CloseStdinRequest{Process: selector(p.pid)})
	return err
}

// selector picks a process by its pid: envd's search by tag can miss.
func selector(pid uint32) *process.ProcessSelector {
	return &process.ProcessSelector{Selector: &process.ProcessSelector_Pid{Pid: pid}}
}
