// Package proctree finds and ends everything that one process started,
// whatever it did to get away: a new session, a double fork, an empty
// environment.
//
// Two things identify the offspring. Parentage is exact as long as every
// process in between lives. A Mark is a resource limit that nothing uses and
// that every fork and exec passes on, so that it also finds those whose
// parents are gone; it exists on Linux.
package proctree

import "errors"

// ErrUnsupported is returned where the system offers no way to list processes.
var ErrUnsupported = errors.New("listing processes is not supported on this system")

// Process is one entry of the process table.
type Process struct {
	PID, Parent   int
	Group         int
	Session       int
	State         byte   // R, S, D, T, Z, … as in /proc/<pid>/stat
	Start         uint64 // tells a process from a later one with the same PID
	CPUTicks      uint64 // user and system time in clock ticks (1/100 s)
	ResidentPages uint64
}

// Dead reports whether only the table entry is left of the process.
func (p *Process) Dead() bool { return p.State == 'Z' || p.State == 'X' }

// Stopped reports whether a signal or a tracer holds the process.
func (p *Process) Stopped() bool { return p.State == 'T' || p.State == 't' }

// held reports whether the process waits in the kernel. With a stop signal
// pending it can do nothing any more: it stops before it runs its own code
// again. A parent whose vfork child was stopped waits like this for good.
func (p *Process) held() bool { return p.State == 'D' }

// Selector lists the living processes that belong together now. It is asked
// again and again until it has nothing new to name.
type Selector func() ([]Process, error)

// Tree selects the descendants of root, without root itself.
func Tree(root int) Selector {
	return func() ([]Process, error) {
		all, err := Table()
		if err != nil {
			return nil, err
		}
		return descendants(all, root), nil
	}
}

// Union selects what any of the selectors does.
func Union(selectors ...Selector) Selector {
	return func() ([]Process, error) {
		var union []Process
		seen := map[int]bool{}
		for _, sel := range selectors {
			found, err := sel()
			if err != nil {
				return nil, err
			}
			for _, p := range found {
				if !seen[p.PID] {
					seen[p.PID] = true
					union = append(union, p)
				}
			}
		}
		return union, nil
	}
}

func descendants(all []Process, root int) []Process {
	children := map[int][]Process{}
	for _, p := range all {
		children[p.Parent] = append(children[p.Parent], p)
	}
	var found []Process
	for next := []int{root}; len(next) > 0; {
		kids := children[next[0]]
		next = next[1:]
		for _, p := range kids {
			next = append(next, p.PID)
			if !p.Dead() {
				found = append(found, p)
			}
		}
	}
	return found
}
