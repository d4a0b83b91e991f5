package sandboxclient

import (
	"context"
	"errors"
	"io"

	"github.com/agentsandbox/agent-sandbox/sandboxclient/envd/process"
	"github.com/agentsandbox/agent-sandbox/sandboxclient/envd/process/processconnect"
)

// stdinChunk bounds one message of input.
const stdinChunk = 64 << 10

// feed sends all of r to the process, then closes its stdin, also when r fails
// or cannot be sent, so that the process does not wait for more.
func (p *Process) feed(r io.Reader) {
	buffer := make([]byte, stdinChunk)
	for {
		n, err := r.Read(buffer)
		if n > 0 {
			if sendErr := p.SendStdin(p.stream, buffer[:n]); sendErr != nil {
				err = sendErr
			}
		}
		if err != nil {
			p.inputEnd(err)
			return
		}
	}
}

// inputEnd notes why the input ended. That the process is gone, or does not
// want more, is no error.
func (p *Process) inputEnd(err error) {
	switch {
	case errors.Is(err, io.EOF), CodeOf(err) == CodeNotFound, CodeOf(err) == CodeInternal, p.stream.Err() != nil:
	default:
		p.inputErr.Store(&err)
	}
	_ = p.CloseStdin(p.stream)
}

// SendStdin sends data to the process's stdin, or types it into its terminal.
// It waits, as long as ctx allows, for a process that does not read.
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
	call := &rpcCall{op: "send input", user: p.spec.user, resource: ResourceProcess, patient: true}
	_, err := processRPC(ctx, p.sandbox, call, processconnect.ProcessClient.SendInput, &process.SendInputRequest{Process: selector(p.pid), Input: input})
	return err
}

// CloseStdin ends the process's stdin. It may be called again; a terminal has
// no end of input (send it the byte 4). envd before 0.5.2 cannot:
// CodeUnsupported.
func (p *Process) CloseStdin(ctx context.Context) error {
	if s := p.sandbox; !s.version.atLeast(envdCloseStdin) {
		return &Error{Op: "close stdin", Code: CodeUnsupported, SandboxID: s.ID, Message: "needs envd 0.5.2, this sandbox has " + s.EnvdVersion}
	}
	call := &rpcCall{op: "close stdin", user: p.spec.user, resource: ResourceProcess, idempotent: true}
	_, err := processRPC(ctx, p.sandbox, call, processconnect.ProcessClient.CloseStdin, &process.CloseStdinRequest{Process: selector(p.pid)})
	return err
}

// selector picks a process by its pid: envd's search by tag can miss.
func selector(pid uint32) *process.ProcessSelector {
	return &process.ProcessSelector{Selector: &process.ProcessSelector_Pid{Pid: pid}}
}
