package interpreter

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"syscall"

	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/proctree"
)

// item is what a kernel has for the execution that runs in it: a piece of
// output, an event, or the news that it died.
type item struct {
	stream string // stdout or stderr; empty for an event
	text   string
	event  event
	died   bool
}

// last tells whether nothing more comes of the execution that runs.
func (i item) last() bool { return i.died || i.event.Type == "done" || i.event.Type == "ready" }

// errKernelDead is the error of a kernel whose process has ended.
var errKernelDead = errors.New("the kernel is dead")

// kernel is a running process of a language.
type kernel struct {
	lang     *language
	cmd      *exec.Cmd
	pipes    *pipes
	exited   chan struct{} // closed when the process has ended
	finished chan struct{} // closed when all it wrote has been read

	mu      sync.Mutex
	current chan item // of the execution that runs, else nil
	dead    bool      // nothing will be delivered any more
	held    heldOutput
}

// startKernel starts the program at path and waits until its driver is ready.
func startKernel(ctx context.Context, config Config, lang *language, path, cwd string) (*kernel, error) {
	k := &kernel{lang: lang, exited: make(chan struct{}), finished: make(chan struct{})}
	ready := make(chan item, 1)
	k.current = ready
	if err := k.launch(config, lang, path, cwd); err != nil {
		return nil, fmt.Errorf("start %s kernel: %w", lang.name, err)
	}
	var printed string
	for {
		select {
		case it := <-ready:
			if it.event.Type == "ready" {
				return k, nil
			}
			if it.died {
				k.kill()
				return nil, fmt.Errorf("start %s kernel: %s ended at once: %s", lang.name, path, firstLine(printed))
			}
			printed += it.text
		case <-ctx.Done():
			k.kill()
			k.drainUntilDead(ready)
			return nil, fmt.Errorf("start %s kernel: %w", lang.name, context.Cause(ctx))
		}
	}
}

// launch starts the process and the goroutines that belong to it.
func (k *kernel) launch(config Config, lang *language, path, cwd string) error {
	driver, err := lang.driverText()
	if err != nil {
		return err
	}
	child, parent, err := makePipes()
	if err != nil {
		return err
	}
	defer func() { _ = child.close() }()
	k.cmd = exec.Command(path, lang.options...)
	k.cmd.Dir, k.cmd.Env = existingDir(cwd, config.Cwd), config.Env()
	k.cmd.Stdout, k.cmd.Stderr = child.stdout, child.stderr
	k.cmd.ExtraFiles = []*os.File{child.requests, child.events, child.acks, child.driver}
	k.cmd.SysProcAttr = groupLeader(config.SysProcAttr)
	heedInterrupt()
	if err := proctree.StartPlain(k.cmd.Start); err != nil {
		return errors.Join(err, parent.close())
	}
	k.pipes = parent
	go k.wait()
	go k.read()
	// A write that fails means that the process has ended, which its reader tells.
	_, _ = parent.driver.Write(driver)
	return parent.driver.Close()
}

// existingDir returns dir, or the first of the others that is a directory: a
// context may name one that does not exist.
func existingDir(dir, fallback string) string {
	for _, candidate := range []string{dir, fallback} {
		if info, err := os.Stat(candidate); err == nil && info.IsDir() {
			return candidate
		}
	}
	return string(os.PathSeparator)
}

func (k *kernel) wait() {
	_ = k.cmd.Wait() // how it ended changes nothing: it is gone
	close(k.exited)
	k.pipes.wake()
}

// execute hands code to the driver. What comes of it arrives on the returned
// channel, which has to be read up to a done event or the death of the kernel.
func (k *kernel) execute(code string, variables map[string]string) (<-chan item, error) {
	items := make(chan item)
	k.mu.Lock()
	if k.dead {
		k.mu.Unlock()
		return nil, errKernelDead
	}
	k.current = items
	k.mu.Unlock()
	go k.request(encodeRequest(code, variables))
	return items, nil
}

// request writes to the driver. One that does not read any more is of no use.
func (k *kernel) request(request []byte) {
	if _, err := k.pipes.requests.Write(request); err != nil {
		k.kill()
	}
}

// takeHeld returns what was printed, by threads or background processes, while
// nothing ran.
func (k *kernel) takeHeld() []item {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.held.take()
}

// deliver hands it to the execution that runs, or holds it for the next one.
// The event that ends an execution also ends its claim on what follows.
func (k *kernel) deliver(it item) {
	k.mu.Lock()
	current := k.current
	if it.last() {
		k.current, k.dead = nil, it.died
	}
	if current == nil {
		k.held.add(it)
	}
	k.mu.Unlock()
	if current != nil {
		current <- it
	}
}

func (k *kernel) alive() bool {
	select {
	case <-k.exited:
		return false
	default:
		return true
	}
}

// interrupt sends SIGINT to the kernel and what it runs in the foreground.
func (k *kernel) interrupt() { signalGroup(k.cmd.Process, syscall.SIGINT) }

// kill ends the kernel and its process group.
func (k *kernel) kill() { signalGroup(k.cmd.Process, syscall.SIGKILL) }

// drainUntilDead reads the items of an execution that nobody waits for any more.
func (k *kernel) drainUntilDead(items <-chan item) {
	for {
		select {
		case <-items:
		case <-k.finished:
			return
		}
	}
}

// destroy kills the kernel and waits until all it wrote has been read. An
// execution that runs in it has a reader of its own.
func (k *kernel) destroy() {
	k.kill()
	<-k.exited
}
