//go:build unix

package proctree

import (
	"context"
	"fmt"
	"syscall"
	"time"
)

// pollInterval is how long a round waits for the kernel to act on a signal
// before it looks again.
const pollInterval = time.Millisecond

// Kill ends all that the selector names and returns once nothing is left. It
// stops everything before it kills anything: a process that is stopped cannot
// fork, and one whose parent is still there does not move in the tree.
func Kill(ctx context.Context, sel Selector) error {
	for {
		frozen, err := Stop(ctx, sel)
		if err != nil {
			return err
		}
		left := frozen.living
		if len(left) == 0 {
			return nil
		}
		signalAll(left, syscall.SIGKILL)
		if err := awaitDeath(ctx, sel, left); err != nil {
			return err
		}
	}
}

// Frozen is what Stop stopped.
type Frozen struct {
	living  []Process // everything selected, those that were stopped before too
	stopped []Process // what Stop itself stopped
}

// Stop stops all that the selector names, in rounds until one finds nothing
// running. Processes that were stopped before are left out of Resume.
func Stop(ctx context.Context, sel Selector) (*Frozen, error) {
	frozen := &Frozen{}
	signalled := map[int]uint64{} // by process id, the start time
	for {
		living, err := sel()
		if err != nil {
			return frozen, fmt.Errorf("list processes: %w", err)
		}
		running := 0
		for _, p := range living {
			start, again := signalled[p.PID]
			again = again && start == p.Start
			if p.Stopped() || again && p.held() {
				continue
			}
			running++
			if !again {
				signalled[p.PID] = p.Start
				frozen.stopped = append(frozen.stopped, p)
			}
			// Again, too: something that still ran may have let it go on.
			syscall.Kill(p.PID, syscall.SIGSTOP) //nolint:errcheck // gone already is what the next round finds out
		}
		if running == 0 {
			frozen.living = living
			return frozen, nil
		}
		if err := pause(ctx); err != nil {
			return frozen, err
		}
	}
}

// Resume lets everything go on that Stop stopped.
func (f *Frozen) Resume() { signalAll(f.stopped, syscall.SIGCONT) }

func signalAll(processes []Process, sig syscall.Signal) {
	for _, p := range processes {
		syscall.Kill(p.PID, sig) //nolint:errcheck // a process that is gone needs no signal
	}
}

// awaitDeath waits until none of the killed is listed any more.
func awaitDeath(ctx context.Context, sel Selector, killed []Process) error {
	start := map[int]uint64{}
	for _, p := range killed {
		start[p.PID] = p.Start
	}
	for {
		living, err := sel()
		if err != nil {
			return fmt.Errorf("list processes: %w", err)
		}
		remain := 0
		for _, p := range living {
			if s, ok := start[p.PID]; ok && s == p.Start {
				remain++
			}
		}
		if remain == 0 {
			return nil
		}
		if err := pause(ctx); err != nil {
			return err
		}
	}
}

func pause(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(pollInterval):
		return nil
	}
}
