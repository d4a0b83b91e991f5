package process

import (
	"errors"
	"os"
	"os/exec"
	"sync"
	"sync/atomic"
	"time"

	"github.com/agentsandbox/agent-sandbox/sandboxclient/envd/process"
	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/proctree"
)

// proc is one process that Start made. It ends when its main process was
// reaped and every holder of its output has closed it: a background child that
// inherited the output keeps it going (envd contract: background child).
type proc struct {
	pid    uint32
	order  uint64
	config *process.ProcessConfig
	tag    *string

	cmd   *exec.Cmd
	mark  proctree.Mark // carried by the command and all its offspring
	out   *hub
	input input
	pumps []*pump

	// expired is set before the kill at the deadline of Start.
	expired  atomic.Bool
	deadline *time.Timer
	// detached means that the end of the main process is the end: output held
	// open by descendants is no longer waited for.
	detached atomic.Bool
	exited   chan struct{} // main process reaped
	ended    chan struct{} // output drained, end event set
}

func (p *proc) info() *process.ProcessInfo {
	return &process.ProcessInfo{Config: p.config, Pid: p.pid, Tag: p.tag}
}

// supervise reaps the main process, drains its output and then publishes the
// end, in this order, so that no output can come after the end event.
func (p *proc) supervise(done func(*proc)) {
	var reading sync.WaitGroup
	for _, pump := range p.pumps {
		reading.Go(func() { pump.run(p.out) })
	}
	_ = p.cmd.Wait() // the outcome stands in ProcessState
	close(p.exited)
	if p.detached.Load() {
		p.stopPumps()
	}
	reading.Wait()
	p.release()
	done(p)
	p.out.finish(endEvent(p.cmd.ProcessState))
	close(p.ended)
}

// release closes what the process held open in the agent.
func (p *proc) release() {
	if p.deadline != nil {
		p.deadline.Stop()
	}
	_ = p.input.close()
	for _, pump := range p.pumps {
		_ = pump.file.Close()
	}
}

func (p *proc) stopPumps() {
	for _, pump := range p.pumps {
		pump.stop()
	}
}

// detach stops waiting for output that only descendants can still write.
func (p *proc) detach() {
	p.detached.Store(true)
	select {
	case <-p.exited:
		p.stopPumps()
	default: // supervise does it after the exit
	}
}

// expireAfter kills the main process, and only it, when its time is over
// (envd contract: Connect-Timeout-Ms).
func (p *proc) expireAfter(d time.Duration) {
	p.deadline = time.AfterFunc(d, func() {
		p.expired.Store(true)
		_ = p.cmd.Process.Kill()
		p.detach()
	})
}

// signal sends sig to the main process only and detaches its output.
func (p *proc) signal(sig os.Signal) error {
	p.detach()
	err := p.cmd.Process.Signal(sig)
	if errors.Is(err, os.ErrProcessDone) {
		return nil
	}
	return err
}

// abandon kills the process with its descendants at the end of the agent. It
// may be called once.
func (p *proc) abandon() {
	p.out.abandon()
	p.detach()
	p.killTree()
}
