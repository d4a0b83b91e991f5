package isolation

import (
	"errors"
	"fmt"
	"net"
	"os"
	"runtime"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/lockdown"
	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/reexec"
	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/rootfs"
)

// Descriptors of the first process of a sandbox. Standard input carries its
// plan, and after that the start message of the agent.
const (
	imageFD  = 4 // this executable, sealed; 3 is listenerFD
	statusFD = 5
	firstFD  = 6 // and above: nothing that was meant for the sandbox
)

// plan is all that the first process is told.
type plan struct {
	Root     []rootfs.Op     `json:"root"`
	Hostname string          `json:"hostname"`
	Limits   lockdown.Limits `json:"limits"`
	Probe    bool            `json:"probe,omitempty"` // end when everything worked
}

// runInit is the life of the first process: it builds the sandbox around
// itself, gives up every right, starts the agent and becomes its supervisor.
// All on one thread: credentials belong to threads.
func runInit() error {
	runtime.LockOSThread()
	unix.CloseRange(firstFD, ^uint(0), unix.CLOSE_RANGE_CLOEXEC) //nolint:errcheck // 5.11 and newer; the kernel check comes earlier
	unix.CloseOnExec(imageFD)
	unix.CloseOnExec(statusFD)
	if err := initialise(); err != nil {
		tell(statusFD, describe(err)) //nolint:errcheck // nobody is left to tell
		return &reexec.ExitError{Code: 1}
	}
	return nil
}

func initialise() error {
	var p plan
	if err := readFrame(os.Stdin, &p); err != nil {
		return &rootfs.Error{Stage: "read plan", Err: err}
	}
	if err := p.furnish(); err != nil {
		return err
	}
	if err := p.renounce(); err != nil {
		return err
	}
	if p.Probe {
		return nil
	}
	agent, err := startAgent()
	if err != nil {
		return &rootfs.Error{Stage: "start agent", Err: err}
	}
	return becomeSupervisor(agent)
}

// furnish builds what the sandbox has: tree, host name, loopback, and the
// socket for the proxy.
func (p *plan) furnish() error {
	store, err := rootfs.Build(p.Root)
	if err != nil {
		return err
	}
	if err := unix.Sethostname([]byte(p.Hostname)); err != nil {
		return &rootfs.Error{Stage: "set host name", Err: err}
	}
	if err := loopbackUp(); err != nil {
		return &rootfs.Error{Stage: "loopback", Err: err}
	}
	proxy, err := listenProxy()
	if err != nil {
		return &rootfs.Error{Stage: "listen for proxy", Err: err}
	}
	defer proxy.Close()
	return tell(statusFD, &status{Gives: []givenHandle{givenStore, givenProxy}}, store, int(proxy.Fd()))
}

// renounce gives up what only building needed. The filter comes last, since it
// forbids some of the steps before it.
func (p *plan) renounce() error {
	unix.Umask(0o022)
	for _, step := range []struct {
		stage string
		run   func() error
	}{
		{"resource limits", p.Limits.Apply},
		{"out of memory score", lockdown.KillFirst},
		{"key ring", lockdown.NewKeyring},
		{"capabilities", lockdown.DropCapabilities},
		{"no new privileges", lockdown.NoNewPrivileges},
		{"system call filter", lockdown.Filter},
	} {
		if err := step.run(); err != nil {
			return &rootfs.Error{Stage: step.stage, Err: err}
		}
	}
	return nil
}

// loopbackUp switches on the only network interface there is; the kernel
// gives it 127.0.0.1 and ::1.
func loopbackUp() error {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	request, err := unix.NewIfreq("lo")
	if err != nil {
		return err
	}
	request.SetUint16(unix.IFF_UP)
	return unix.IoctlIfreq(fd, unix.SIOCSIFFLAGS, request)
}

// listenProxy makes a socket that belongs to the network of the sandbox. The
// server accepts on it from outside: a socket stays in the network in which
// it was made.
func listenProxy() (*os.File, error) {
	l, err := net.Listen("tcp4", proxyAddress)
	if err != nil {
		return nil, err
	}
	defer l.Close()
	return l.(*net.TCPListener).File()
}

// startAgent forks from this thread, so the agent has its reduced rights, and
// starts up while this process becomes the supervisor.
func startAgent() (pid int, err error) {
	return syscall.ForkExec("/proc/self/exe", reexec.Args(roleAgent), &syscall.ProcAttr{
		Dir:   "/",
		Env:   agentEnv,
		Files: []uintptr{0, 1, 2, listenerFD},
		Sys:   &syscall.SysProcAttr{Setsid: true},
	})
}

// agentEnv is the whole environment of the agent; commands get theirs from it.
var agentEnv = []string{
	"HOME=/home/user", "USER=" + sandboxUser, "LOGNAME=" + sandboxUser,
	"SHELL=/bin/bash", "LANG=C.UTF-8", "PATH=" + systemPath,
}

func becomeSupervisor(agent int) error {
	unix.CloseOnExec(listenerFD)
	env := []string{supervisedVar + "=" + strconv.Itoa(agent), "GOMAXPROCS=1"}
	err := syscall.Exec("/proc/self/exe", reexec.Args(roleSupervisor), env)
	return &rootfs.Error{Stage: "become supervisor", Err: err}
}

// describe makes a status of a failure.
func describe(err error) *status {
	s := &status{Stage: "start", Text: err.Error()}
	if failed, ok := errors.AsType[*rootfs.Error](err); ok {
		s.Stage, s.Detail, s.Text = failed.Stage, failed.Detail, fmt.Sprint(failed.Err)
	}
	errors.As(err, &s.Errno)
	return s
}
