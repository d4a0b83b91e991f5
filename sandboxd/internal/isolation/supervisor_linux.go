package isolation

import (
	"fmt"
	"os"
	"os/signal"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/lockdown"
	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/reexec"
)

// supervisedVar tells the supervisor the process id of the agent.
const supervisedVar = "ABX_AGENT"

// runSupervisor is the life of process 1: it collects the dead, passes on
// requests to end, and ends with the agent, which ends the sandbox. It is a
// process of its own so that nobody takes the exit status of a command from
// the agent.
func runSupervisor() error {
	if err := lockdown.Undumpable(); err != nil {
		return err
	}
	agent, err := strconv.Atoi(os.Getenv(supervisedVar))
	if err != nil {
		return fmt.Errorf("read agent's process id: %w", err)
	}
	go forward(agent)
	return &reexec.ExitError{Code: collect(agent)}
}

func forward(agent int) {
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
	for s := range signals {
		unix.Kill(agent, s.(syscall.Signal)) //nolint:errcheck // its end is noticed elsewhere
	}
}

// collect reaps until the agent ends, and returns its exit status. Code in the
// sandbox has the agent's own uid and may stop it, which would leave every later
// call without an answer: it is woken at once. A pause from outside stops this
// process too, so it stays.
func collect(agent int) int {
	for {
		var status unix.WaitStatus
		pid, err := unix.Wait4(-1, &status, unix.WUNTRACED, nil)
		switch {
		case err == unix.EINTR:
		case err != nil:
			return 1
		case pid != agent:
		case status.Stopped():
			unix.Kill(agent, unix.SIGCONT) //nolint:errcheck // its end is noticed below
		case status.Signaled():
			return 128 + int(status.Signal())
		case status.Exited():
			return status.ExitStatus()
		}
	}
}
