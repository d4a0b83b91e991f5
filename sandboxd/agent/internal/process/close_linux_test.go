package process_test

import (
	"os"
	"strings"
	"testing"

	"github.com/agentsandbox/agent-sandbox/sandboxd/agent/internal/process"
)

func TestCloseKillsDaemonsOfRunningCommands(t *testing.T) {
	t.Parallel()
	b := newBench(t, process.Options{})
	pidFile := b.path("pid")
	// A session of its own, an empty environment, and a parent that is gone.
	daemon := `setsid sh -c 'env -i sh -c "echo \$\$ > ` + pidFile + `.new; mv ` + pidFile + `.new ` + pidFile + `; exec sleep 600" &'`
	b.start(b.ctx, sh(daemon+"; exec sleep 600"))
	eventually(t, "daemon lives", func() bool { return exists(pidFile) })
	pid, err := os.ReadFile(pidFile)
	if err != nil {
		t.Fatal(err)
	}
	b.svc.Close()
	eventually(t, "daemon is gone", func() bool {
		status, err := os.ReadFile("/proc/" + strings.TrimSpace(string(pid)) + "/status")
		return err != nil || strings.Contains(string(status), "State:\tZ")
	})
}
