package process

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"connectrpc.com/connect"

	"github.com/agentsandbox/agent-sandbox/sandboxclient/envd/process"
	"github.com/agentsandbox/agent-sandbox/sandboxd/agent/internal/account"
	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/proctree"
)

var errNoUser = errors.New("request carries no user")

// start launches the process of req. The subscriber it returns sees all of
// the output.
func (s *Service) start(ctx context.Context, req *process.StartRequest) (*proc, *subscriber, error) {
	u := account.FromContext(ctx)
	if u == nil {
		return nil, nil, connect.NewError(connect.CodeInternal, errNoUser)
	}
	cmd, err := s.command(u, req.GetProcess())
	if err != nil {
		return nil, nil, err
	}
	p := &proc{
		cmd: cmd, config: configOf(req), tag: req.Tag, out: newHub(),
		exited: make(chan struct{}), ended: make(chan struct{}),
	}
	if err := p.launch(u, req); err != nil {
		return nil, nil, notStarted(cmd, err)
	}
	if !s.procs.add(p) {
		p.reject()
		return nil, nil, errClosed
	}
	sub := p.out.subscribe()
	if end, ok := ctx.Deadline(); ok {
		p.expireAfter(time.Until(end))
	}
	go p.supervise(s.procs.retire)
	return p, sub, nil
}

// notStarted is the error of a launch. It is the request's fault, as with a
// working directory that is none, unless the limit of processes is reached.
func notStarted(cmd *exec.Cmd, err error) error {
	code := connect.CodeInvalidArgument
	if errors.Is(err, syscall.EAGAIN) || errors.Is(err, syscall.ENOMEM) {
		code = connect.CodeResourceExhausted
	}
	return connect.NewError(code, fmt.Errorf("error starting process '%s': %w", strings.Join(cmd.Args, " "), err))
}

func configOf(req *process.StartRequest) *process.ProcessConfig {
	if cfg := req.GetProcess(); cfg != nil {
		return cfg
	}
	return &process.ProcessConfig{}
}

// reject undoes a launch that came too late.
func (p *proc) reject() {
	p.killTree()
	_ = p.cmd.Wait()
	p.release()
}

// launch opens input and output and starts the command on them.
func (p *proc) launch(u *account.User, req *process.StartRequest) error {
	var child []*os.File
	var err error
	if req.GetPty() != nil {
		child, err = p.openTTY(u, req.GetPty().GetSize())
	} else {
		child, err = p.openPipes(req.Stdin == nil || req.GetStdin())
	}
	defer closeAll(child)
	if err == nil {
		p.cmd.SysProcAttr = u.Attr()
		ownSession(p.cmd.SysProcAttr, p.input.tty)
		err = startOrExplain(p)
	}
	if err != nil {
		p.release()
		return err
	}
	p.pid = uint32(p.cmd.Process.Pid)
	return nil
}

func closeAll(files []*os.File) {
	for _, f := range files {
		_ = f.Close()
	}
}

// openPipes gives the command two output pipes and, if wanted, one for input;
// without it the command reads from the null device. It returns the child's
// sides, to be closed after the start.
func (p *proc) openPipes(stdin bool) (child []*os.File, err error) {
	out := func(wrap func([]byte) *event) *os.File {
		r, w, perr := os.Pipe()
		if perr != nil {
			err = errors.Join(err, perr)
			return nil
		}
		p.pumps = append(p.pumps, &pump{file: r, chunk: pipeChunk, wrap: wrap})
		child = append(child, w)
		return w
	}
	p.cmd.Stdout, p.cmd.Stderr = out(stdoutEvent), out(stderrEvent)
	if err != nil || !stdin {
		return child, err
	}
	r, w, err := os.Pipe()
	if err != nil {
		return child, err
	}
	p.cmd.Stdin, p.input.file = r, w
	return append(child, r), nil
}

// startOrExplain starts the command. A program that cannot be run is not an
// error of the call: a process that says so on stderr takes its place.
func startOrExplain(p *proc) error {
	err := p.startMarked()
	if err == nil {
		return nil
	}
	instead := substitute(p.cmd, err)
	if instead == nil {
		return err
	}
	p.cmd = instead
	return p.startMarked()
}

func (p *proc) startMarked() (err error) {
	p.mark, err = proctree.Start(p.cmd.Start)
	return err
}

// copyOf repeats a command that failed to start, with another program.
func copyOf(cmd *exec.Cmd, path string, args ...string) *exec.Cmd {
	return &exec.Cmd{
		Path: path, Args: args, Dir: cmd.Dir, Env: cmd.Env,
		Stdin: cmd.Stdin, Stdout: cmd.Stdout, Stderr: cmd.Stderr, SysProcAttr: cmd.SysProcAttr,
	}
}
