package process

import (
	"cmp"
	"fmt"
	"slices"
	"sync"
	"time"

	"connectrpc.com/connect"

	"github.com/agentsandbox/agent-sandbox/sandboxclient/envd/process"
)

// registry finds processes by pid or tag. A finished one stays findable for
// Connect until its retention is over.
type registry struct {
	retain time.Duration

	mu     sync.Mutex
	live   map[uint32]*proc
	exited map[uint32]*proc
	next   uint64
	closed bool
}

// add reports false when the registry was shut.
func (r *registry) add(p *proc) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return false
	}
	if r.live == nil {
		r.live = map[uint32]*proc{}
		r.exited = map[uint32]*proc{}
	}
	r.next++
	p.order = r.next
	r.live[p.pid] = p
	delete(r.exited, p.pid)
	return true
}

func (r *registry) retire(p *proc) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.live, p.pid)
	if r.closed || r.retain <= 0 {
		return
	}
	// Only what Connect needs: command lines and environments may be large.
	exit := &proc{pid: p.pid, order: p.order, tag: p.tag, out: p.out}
	r.exited[p.pid] = exit
	time.AfterFunc(r.retain, func() { r.forget(exit) })
}

// forget drops a retained exit, unless the pid belongs to another by now.
func (r *registry) forget(p *proc) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.exited[p.pid] == p {
		delete(r.exited, p.pid)
	}
}

func (r *registry) running() []*proc {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.sorted()
}

func (r *registry) sorted() []*proc {
	list := make([]*proc, 0, len(r.live))
	for _, p := range r.live {
		list = append(list, p)
	}
	slices.SortFunc(list, func(a, b *proc) int { return cmp.Compare(a.order, b.order) })
	return list
}

// shut refuses further processes and returns the running ones.
func (r *registry) shut() []*proc {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed = true
	return r.sorted()
}

// find looks among the running processes only.
func (r *registry) find(sel *process.ProcessSelector) (*proc, error) {
	return r.search(sel, false)
}

// findExited looks among the running ones first, then among retained exits.
func (r *registry) findExited(sel *process.ProcessSelector) (*proc, error) {
	return r.search(sel, true)
}

func (r *registry) search(sel *process.ProcessSelector, exited bool) (*proc, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch by := sel.GetSelector().(type) {
	case *process.ProcessSelector_Pid:
		if p := r.byPID(by.Pid, exited); p != nil {
			return p, nil
		}
		return nil, connect.NewError(connect.CodeNotFound, fmt.Errorf("process with pid %d not found", by.Pid))
	case *process.ProcessSelector_Tag:
		if p := r.byTag(by.Tag, exited); p != nil {
			return p, nil
		}
		return nil, connect.NewError(connect.CodeNotFound, fmt.Errorf("process with tag %s not found", by.Tag))
	}
	return nil, connect.NewError(connect.CodeUnimplemented, fmt.Errorf("invalid input type %T", sel))
}

func (r *registry) byPID(pid uint32, exited bool) *proc {
	if p := r.live[pid]; p != nil || !exited {
		return p
	}
	return r.exited[pid]
}

// byTag takes the newest one of a tag.
func (r *registry) byTag(tag string, exited bool) *proc {
	if p := newest(r.live, tag); p != nil || !exited {
		return p
	}
	return newest(r.exited, tag)
}

func newest(procs map[uint32]*proc, tag string) *proc {
	var found *proc
	for _, p := range procs {
		if p.tag != nil && *p.tag == tag && (found == nil || p.order > found.order) {
			found = p
		}
	}
	return found
}
