package process

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"connectrpc.com/connect"

	"github.com/agentsandbox/agent-sandbox/sandboxclient/envd/process"
)

// input is the side of a process's standard input or terminal that we write.
type input struct {
	tty bool

	writing sync.Mutex // keeps the bytes of concurrent calls apart
	mu      sync.Mutex
	file    *os.File // nil: no input, or closed
}

func (in *input) open() *os.File {
	in.mu.Lock()
	defer in.mu.Unlock()
	return in.file
}

// close is idempotent.
func (in *input) close() error {
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.file == nil {
		return nil
	}
	err := in.file.Close()
	in.file = nil
	return err
}

var (
	errNoTTY       = errors.New("tty not assigned to process")
	errStdinClosed = errors.New("stdin not enabled or closed")
	errStdinOfTTY  = errors.New("tty assigned to process — input should be written to the pty, not the stdin")
	errTTYOfPipe   = errors.New("tty not assigned to process — input should be written to the stdin, not the tty")
	errCloseTTY    = errors.New("cannot close stdin for PTY process — send Ctrl+D (0x04) instead")
)

// write passes b on. A process that does not read holds the call up until the
// context ends.
func (in *input) write(ctx context.Context, b []byte) error {
	in.writing.Lock()
	defer in.writing.Unlock()
	file := in.open()
	if file == nil {
		return errStdinClosed
	}
	stop := context.AfterFunc(ctx, func() { _ = file.SetWriteDeadline(time.Unix(1, 0)) })
	defer func() {
		if !stop() {
			_ = file.SetWriteDeadline(time.Time{})
		}
	}()
	_, err := file.Write(b)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return ctx.Err()
	}
	return err
}

func (p *proc) send(ctx context.Context, in *process.ProcessInput) error {
	switch data := in.GetInput().(type) {
	case *process.ProcessInput_Stdin:
		if err := p.sendStdin(ctx, data.Stdin); err != nil {
			return notWritten("stdin", err)
		}
	case *process.ProcessInput_Pty:
		if err := p.sendPTY(ctx, data.Pty); err != nil {
			return notWritten("tty", err)
		}
	default:
		return connect.NewError(connect.CodeUnimplemented, fmt.Errorf("invalid input type %T", data))
	}
	return nil
}

// notWritten keeps the caller's own deadline apart from what went wrong.
func notWritten(where string, err error) error {
	code := connect.CodeInternal
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		code = connect.CodeDeadlineExceeded
	case errors.Is(err, context.Canceled):
		code = connect.CodeCanceled
	}
	return connect.NewError(code, fmt.Errorf("error writing to %s: %w", where, err))
}

func (p *proc) sendStdin(ctx context.Context, b []byte) error {
	if p.input.tty {
		return errStdinOfTTY
	}
	return p.input.write(ctx, b)
}

func (p *proc) sendPTY(ctx context.Context, b []byte) error {
	if !p.input.tty {
		return errTTYOfPipe
	}
	return p.input.write(ctx, b)
}

// SendInput writes to the standard input or the terminal of a process.
func (s *Service) SendInput(ctx context.Context, req *process.SendInputRequest) (*process.SendInputResponse, error) {
	p, err := s.procs.find(req.GetProcess())
	if err != nil {
		return nil, err
	}
	if err := p.send(ctx, req.GetInput()); err != nil {
		return nil, err
	}
	return &process.SendInputResponse{}, nil
}

// CloseStdin ends the standard input; again is no error, a terminal is.
func (s *Service) CloseStdin(_ context.Context, req *process.CloseStdinRequest) (*process.CloseStdinResponse, error) {
	p, err := s.procs.find(req.GetProcess())
	if err != nil {
		return nil, err
	}
	if p.input.tty {
		err = errCloseTTY
	} else {
		err = p.input.close()
	}
	if err != nil {
		return nil, connect.NewError(connect.CodeUnknown, fmt.Errorf("error closing stdin: %w", err))
	}
	return &process.CloseStdinResponse{}, nil
}
