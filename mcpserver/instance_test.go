package mcpserver_test

import (
	"os/exec"
	"testing"

	"github.com/agentsandbox/agent-sandbox/mcpserver"
)

func TestInstanceOfThisProcess(t *testing.T) {
	t.Parallel()
	got, ok := mcpserver.ParseInstance(mcpserver.ProcessInstance())
	if !ok || got != mcpserver.ThisInstance() {
		t.Fatalf("ParseInstance(ProcessInstance()) = %+v, %v; want %+v", got, ok, mcpserver.ThisInstance())
	}
	if !got.Here() || !got.Alive() {
		t.Errorf("this process is not here (%v) or not alive (%v)", got.Here(), got.Alive())
	}
}

func TestInstanceThatEndedOrWasReplaced(t *testing.T) {
	t.Parallel()
	cmd := exec.Command("go", "version")
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	ended := mcpserver.ThisInstance()
	ended.PID = cmd.Process.Pid
	ended.Started++ // even if the pid was given away meanwhile
	if ended.Alive() {
		t.Error("a process that ended counts as alive")
	}
	replaced := mcpserver.ThisInstance()
	if replaced.Started != 0 {
		replaced.Started++
		if replaced.Alive() {
			t.Error("another process with the same pid counts as the instance")
		}
	}
	if elsewhere := (mcpserver.Instance{Machine: "0123456789abcdef", PID: 1, Started: 1}); elsewhere.Here() {
		t.Error("an instance of another machine is here")
	}
}

func TestParseInstanceRefuses(t *testing.T) {
	t.Parallel()
	for _, s := range []string{"", "a", "a-1", "a-b-1", "a-1-b", "-1-1", "a-0-1", "a-1-1-1"} {
		if got, ok := mcpserver.ParseInstance(s); ok {
			t.Errorf("ParseInstance(%q) = %+v", s, got)
		}
	}
}
