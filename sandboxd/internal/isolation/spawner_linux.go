package isolation

import (
	"os/exec"
	"runtime"
	"sync"

	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/proctree"
)

// spawner starts processes from one operating system thread that lives as
// long as the launcher. The kernel's parent-death signal goes by the thread
// that forked, not by the process: on an ordinary goroutine, the end of an
// idle thread would end sandboxes.
type spawner struct {
	requests chan spawnRequest
	done     chan struct{}
	once     sync.Once
}

type spawnRequest struct {
	cmd    *exec.Cmd
	result chan error
}

func newSpawner() *spawner {
	s := &spawner{requests: make(chan spawnRequest), done: make(chan struct{})}
	go s.loop()
	return s
}

func (s *spawner) loop() {
	defer close(s.done)
	runtime.LockOSThread() // and never unlocked: the thread ends with the loop
	for r := range s.requests {
		r.result <- proctree.StartPlain(r.cmd.Start)
	}
}

func (s *spawner) start(cmd *exec.Cmd) error {
	result := make(chan error, 1)
	s.requests <- spawnRequest{cmd, result}
	return <-result
}

// close must come after the last sandbox has ended.
func (s *spawner) close() {
	s.once.Do(func() { close(s.requests) })
	<-s.done
}
