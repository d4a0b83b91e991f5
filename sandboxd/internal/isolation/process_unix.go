//go:build unix

package isolation

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os/exec"
	"runtime"
	"sync"
	"time"

	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/proctree"
	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/state"
)

// process is a sandbox of the none launcher: an agent and its offspring.
type process struct {
	cmd    *exec.Cmd
	dir    string
	sock   *socket
	owner  proctree.Mark
	limits Limits
	stdin  io.Closer
	stderr tail

	mu     sync.Mutex
	frozen *proctree.Frozen // not nil while paused
	killed bool

	done chan struct{}
	err  error // valid after done
}

func (p *process) start(b *boot) error {
	stdin, err := p.cmd.StdinPipe()
	if err != nil {
		return fmt.Errorf("start agent: %w", err)
	}
	p.stdin = stdin
	p.cmd.Stderr = &p.stderr
	p.cmd.WaitDelay = time.Second // a daemon may hold stderr open
	if err := proctree.StartPlain(p.cmd.Start); err != nil {
		return fmt.Errorf("start agent: %w", err)
	}
	p.done = make(chan struct{})
	go p.reap()
	if err := b.send(stdin); err != nil {
		p.Kill(context.Background()) //nolint:errcheck // the first error is the one to tell
		return fmt.Errorf("start agent: %w: %s", err, p.stderr.String())
	}
	return nil
}

// reap waits for the agent, ends whatever outlived it and removes its
// directory.
func (p *process) reap() {
	defer close(p.done)
	err := p.cmd.Wait()
	p.mu.Lock()
	killed := p.killed
	p.mu.Unlock()
	if !killed {
		p.err = p.explain(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), killTimeout)
	defer cancel()
	p.err = errors.Join(p.err, proctree.Kill(ctx, proctree.OwnedBy(p.owner)), state.Remove(p.dir))
	p.stdin.Close()
	p.sock.close()
}

func (p *process) explain(err error) error {
	text := p.stderr.String()
	if text != "" {
		text = ": " + text
	}
	if err == nil {
		return fmt.Errorf("agent ended%s", text)
	}
	return fmt.Errorf("agent ended: %w%s", err, text)
}

func (p *process) all() proctree.Selector {
	return proctree.Union(proctree.Tree(p.cmd.Process.Pid), proctree.OwnedBy(p.owner))
}

func (p *process) Dial(ctx context.Context) (net.Conn, error) {
	p.mu.Lock()
	paused := p.frozen != nil
	p.mu.Unlock()
	if paused {
		return nil, ErrPaused
	}
	select {
	case <-p.done:
		return nil, ErrEnded
	default:
		return p.sock.dial(ctx)
	}
}

func (p *process) Kill(ctx context.Context) error {
	p.mu.Lock()
	p.killed = true
	p.mu.Unlock()
	select {
	case <-p.done:
		return nil
	default:
	}
	err := proctree.Kill(ctx, p.all())
	p.cmd.Process.Kill() //nolint:errcheck // already gone is what is wanted
	if err != nil {
		return fmt.Errorf("kill sandbox: %w", err)
	}
	select {
	case <-p.done:
		return p.err
	case <-ctx.Done():
		return fmt.Errorf("kill sandbox: %w", ctx.Err())
	}
}

func (p *process) Wait() error {
	<-p.done
	return p.err
}

func (p *process) Pause(ctx context.Context) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.frozen != nil {
		return nil
	}
	frozen, err := proctree.Stop(ctx, p.all())
	if err != nil {
		if frozen != nil {
			frozen.Resume()
		}
		return fmt.Errorf("pause sandbox: %w", err)
	}
	p.frozen = frozen
	return nil
}

func (p *process) Resume(context.Context) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.frozen != nil {
		p.frozen.Resume()
		p.frozen = nil
	}
	return nil
}

func (p *process) Stats(context.Context) (Stats, error) {
	found, err := p.all()()
	if err != nil {
		return Stats{}, fmt.Errorf("measure sandbox: %w", err)
	}
	s := sum(found)
	s.CPUs = runtime.NumCPU()
	s.StorageBytes = state.Size(p.dir)
	return s, nil
}
