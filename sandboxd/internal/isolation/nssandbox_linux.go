package isolation

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/egress"
	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/proctree"
	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/state"
)

// nsSandbox is one sandbox of the namespace launcher.
type nsSandbox struct {
	launcher *namespace
	spec     *Spec
	limits   Limits
	probe    bool

	dir      string
	uid, gid int // on the host
	cmd      *exec.Cmd
	stderr   tail
	sock     *socket
	files    *os.File // O_PATH of the writable file system
	internet *internet

	mu     sync.Mutex
	frozen *proctree.Frozen // not nil while paused
	killed bool
	reason error // why the server ended it, if it did

	started chan struct{} // closed when start is done with the fields above
	exited  chan struct{} // closed when process 1 has ended
	watches sync.WaitGroup
	ended   chan struct{} // closed when nothing of it is left; nil before the clone
	err     error         // valid after ended
}

// running starts the goroutine that owns the sandbox's end.
func (s *nsSandbox) running() {
	s.ended, s.exited = make(chan struct{}), make(chan struct{})
	go s.reap()
}

// reap waits for process 1. The kernel reports its end only after everything
// in its pid namespace has ended, so nothing writes to the files any more.
func (s *nsSandbox) reap() {
	defer close(s.ended)
	err := s.cmd.Wait()
	<-s.started
	close(s.exited)
	s.watches.Wait()
	s.err = errors.Join(s.why(err), s.clear())
}

func (s *nsSandbox) why(err error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	text := s.stderr.String()
	switch {
	case s.reason != nil:
		return s.reason
	case s.killed || s.probe && err == nil:
		return nil
	case text != "":
		return fmt.Errorf("sandbox ended: %w: %s", err, text)
	}
	return fmt.Errorf("sandbox ended: %w", err)
}

// clear gives back what the sandbox had of the host.
func (s *nsSandbox) clear() error {
	if s.internet != nil {
		s.internet.close()
	}
	if s.files != nil {
		s.files.Close()
	}
	if s.sock != nil {
		s.sock.close()
	}
	if s.asRoot() && s.uid != 0 {
		s.launcher.uids.release(s.uid)
	}
	if s.dir == "" {
		return nil
	}
	return state.Remove(s.dir)
}

// discard undoes a start that failed.
func (s *nsSandbox) discard() {
	if s.ended == nil {
		s.clear() //nolint:errcheck // the failure of the start is the one to tell
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), killTimeout)
	defer cancel()
	s.Kill(ctx) //nolint:errcheck // as above
}

func (s *nsSandbox) pid() int { return s.cmd.Process.Pid }

// all selects the processes of the sandbox: whatever loses its parent becomes
// a child of process 1, so the tree below that is complete.
func (s *nsSandbox) all() ([]proctree.Process, error) {
	found, err := proctree.Tree(s.pid())()
	if err != nil {
		return nil, err
	}
	if first, err := proctree.Lookup(s.pid()); err == nil && !first.Dead() {
		found = append(found, *first)
	}
	return found, nil
}

func (s *nsSandbox) Dial(ctx context.Context) (net.Conn, error) {
	s.mu.Lock()
	paused := s.frozen != nil
	s.mu.Unlock()
	if paused {
		return nil, ErrPaused
	}
	select {
	case <-s.ended:
		return nil, ErrEnded
	default:
		return s.sock.dial(ctx)
	}
}

func (s *nsSandbox) Kill(ctx context.Context) error {
	s.mu.Lock()
	s.killed = true
	s.mu.Unlock()
	s.cmd.Process.Kill() //nolint:errcheck // already ended is what is wanted
	select {
	case <-s.ended:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("kill sandbox: %w", context.Cause(ctx))
	}
}

func (s *nsSandbox) Wait() error {
	<-s.ended
	return s.err
}

func (s *nsSandbox) Pause(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.frozen != nil {
		return nil
	}
	frozen, err := proctree.Stop(ctx, s.all)
	if err != nil {
		if frozen != nil {
			frozen.Resume()
		}
		return fmt.Errorf("pause sandbox: %w", err)
	}
	s.frozen = frozen
	return nil
}

func (s *nsSandbox) Resume(context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.frozen != nil {
		s.frozen.Resume()
		s.frozen = nil
	}
	return nil
}

func (s *nsSandbox) Stats(context.Context) (Stats, error) {
	select {
	case <-s.ended:
		return Stats{}, ErrEnded
	default:
	}
	found, err := s.all()
	if err != nil {
		return Stats{}, fmt.Errorf("measure sandbox: %w", err)
	}
	stats := sum(found)
	stats.At, stats.CPUs = time.Now(), runtime.NumCPU()
	stats.MemoryLimit = s.limits.Memory
	return stats, s.measureStorage(&stats)
}

func (s *nsSandbox) measureStorage(stats *Stats) error {
	if s.spec.Storage == StorageDisk {
		stats.StorageBytes = state.Size(s.dir)
		return nil
	}
	var fs unix.Statfs_t
	if err := unix.Fstatfs(int(s.files.Fd()), &fs); err != nil {
		return fmt.Errorf("measure storage: %w", err)
	}
	stats.StorageBytes = int64(fs.Blocks-fs.Bfree) * fs.Bsize
	stats.StorageLimit = s.limits.Storage
	return nil
}

// SetInternet replaces the policy; nil allows nothing.
func (s *nsSandbox) SetInternet(policy *egress.Policy) error {
	select {
	case <-s.ended:
		return ErrEnded
	default:
		return s.internet.proxy.SetPolicy(policy)
	}
}
