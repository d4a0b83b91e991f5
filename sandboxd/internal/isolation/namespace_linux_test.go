package isolation_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/isolation"
)

// namespaceLauncher is a launcher that works, or the end of the test.
func namespaceLauncher(t *testing.T) isolation.Launcher {
	t.Helper()
	l := launcher(t, isolation.Namespace, filepath.Join(t.TempDir(), "state"))
	if err := l.Probe(t.Context()); err != nil {
		t.Skip(err)
	}
	return l
}

func TestNamespaceHasNoPrivileges(t *testing.T) {
	t.Parallel()
	s := start(t, namespaceLauncher(t), &isolation.Spec{})
	status := s.output("cat /proc/self/status")
	for _, want := range []string{
		"CapInh:\t0000000000000000", "CapPrm:\t0000000000000000", "CapEff:\t0000000000000000",
		"CapBnd:\t0000000000000000", "CapAmb:\t0000000000000000",
		"NoNewPrivs:\t1", "Seccomp:\t2", "Uid:\t1000\t1000\t1000\t1000",
	} {
		if !strings.Contains(status, want+"\n") {
			t.Errorf("/proc/self/status lacks %q", want)
		}
	}
	if uidMap := strings.Fields(s.output("cat /proc/self/uid_map")); len(uidMap) != 3 || uidMap[1] == "0" {
		t.Errorf("uid map %v: host id 0 must not be mapped", uidMap)
	}
}
