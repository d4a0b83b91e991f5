package isolation

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"time"

	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/egress"
	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/engine"
	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/tunnel"
)

// container is one sandbox of the docker launcher.
type container struct {
	docker *docker
	spec   *Spec
	limits Limits

	id       string
	stream   *engine.Attached
	stderr   tail
	tunnel   *tunnel.Host
	internet *internet

	mu     sync.Mutex
	paused bool
	killed bool

	removing sync.Mutex
	removed  bool // guarded by removing

	ended chan struct{} // closed when the container is gone
	err   error         // valid after ended
}

// place is where the agent in a container finds itself. PATH is the image's.
func (c *container) place() Place {
	env := egress.Env(proxyAddress)
	env["LANG"] = "C.UTF-8"
	return Place{
		User: sandboxUser, Home: "/home/user", App: "/app", Tmp: "/tmp", Env: env,
		Accounts: []Account{
			{Name: sandboxUser, UID: containerUID, GID: containerUID, Home: "/home/user"},
			{Name: "root", Home: "/root"},
		},
	}
}

// running starts the goroutine that owns the container's end.
func (c *container) running() (err error) {
	if c.internet, err = newInternet(c.tunnel.Listen(), c.spec.Internet); err != nil {
		return err
	}
	c.ended = make(chan struct{})
	go c.reap()
	return nil
}

// reap waits for the end of the container's streams and removes it.
func (c *container) reap() {
	defer close(c.ended)
	c.tunnel.Wait()
	ctx, cancel := context.WithTimeout(context.Background(), killTimeout)
	defer cancel()
	why := c.why(ctx)
	c.internet.close()
	c.err = errors.Join(why, c.remove(ctx))
}

func (c *container) why(ctx context.Context) error {
	c.mu.Lock()
	killed := c.killed
	c.mu.Unlock()
	if killed {
		return nil
	}
	state, err := c.docker.engine.State(ctx, c.id)
	switch text := c.stderr.String(); {
	case err != nil:
		return fmt.Errorf("sandbox ended: %w", err)
	case state.OOMKilled:
		return errors.New("sandbox ended: it used up its memory")
	case state.Running:
		return fmt.Errorf("sandbox ended: connection to its agent broke %s", text)
	default:
		return fmt.Errorf("sandbox ended: exit status %d %s%s", state.ExitCode, state.Error, text)
	}
}

// remove removes the container, once, and closes what connects to it.
func (c *container) remove(ctx context.Context) error {
	c.removing.Lock()
	defer c.removing.Unlock()
	if c.tunnel != nil {
		defer c.tunnel.Close() //nolint:errcheck // its stream is gone
	}
	if c.stream != nil {
		defer c.stream.Close() //nolint:errcheck // as above
	}
	if c.id == "" || c.removed {
		return nil
	}
	err := c.docker.engine.Remove(ctx, c.id)
	c.removed = err == nil
	return err
}

// discard undoes a start that failed.
func (c *container) discard() error {
	ctx, cancel := context.WithTimeout(context.Background(), killTimeout)
	defer cancel()
	return c.remove(ctx)
}

func (c *container) Dial(ctx context.Context) (net.Conn, error) {
	c.mu.Lock()
	paused := c.paused
	c.mu.Unlock()
	if paused {
		return nil, ErrPaused
	}
	select {
	case <-c.ended:
		return nil, ErrEnded
	default:
		return c.tunnel.Dial(ctx)
	}
}

func (c *container) Kill(ctx context.Context) error {
	c.mu.Lock()
	c.killed = true
	c.mu.Unlock()
	select {
	case <-c.ended:
		return nil
	default:
	}
	if err := c.remove(ctx); err != nil {
		return fmt.Errorf("kill sandbox: %w", err)
	}
	select {
	case <-c.ended:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("kill sandbox: %w", context.Cause(ctx))
	}
}

func (c *container) Wait() error {
	<-c.ended
	return c.err
}

func (c *container) Pause(ctx context.Context) error {
	return c.setPaused(ctx, true, c.docker.engine.Pause)
}

func (c *container) Resume(ctx context.Context) error {
	return c.setPaused(ctx, false, c.docker.engine.Unpause)
}

func (c *container) setPaused(ctx context.Context, paused bool, do func(context.Context, string) error) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.paused == paused {
		return nil
	}
	if err := do(ctx, c.id); err != nil {
		return err
	}
	c.paused = paused
	return nil
}

func (c *container) Stats(ctx context.Context) (Stats, error) {
	used, err := c.docker.engine.Stats(ctx, c.id)
	if err != nil {
		return Stats{}, fmt.Errorf("measure sandbox: %w", err)
	}
	return Stats{
		At: time.Now(), Processes: used.Processes, CPUTime: used.CPUTime,
		MemoryBytes: used.Memory, MemoryLimit: c.limits.Memory, CPUs: used.CPUs,
	}, nil
}

// SetInternet replaces the policy; nil allows nothing.
func (c *container) SetInternet(policy *egress.Policy) error {
	return c.internet.proxy.SetPolicy(policy)
}
