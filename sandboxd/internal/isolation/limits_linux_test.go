package isolation_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/isolation"
)

func TestForkBombStaysInItsSandbox(t *testing.T) {
	t.Parallel()
	l := namespaceLauncher(t)
	limits := isolation.Limits{Processes: 64}
	bomb, other := start(t, l, &isolation.Spec{Limits: limits}), start(t, l, &isolation.Spec{Limits: limits})
	lines := strings.Fields(bomb.try("fork 1000"))
	if len(lines) != 2 || lines[1] != "EAGAIN" {
		t.Fatalf("forking gave %v, want a count and EAGAIN", lines)
	}
	if count, _ := strconv.Atoi(lines[0]); count < 16 || count > 64 {
		t.Errorf("%d processes under a limit of 64", count)
	}
	other.output("/bin/true; (/bin/true)")
}

func TestStorageIsBounded(t *testing.T) {
	t.Parallel()
	s := start(t, namespaceLauncher(t), &isolation.Spec{Limits: isolation.Limits{Storage: 32 << 20, FileSize: 1 << 40}})
	if got := s.try("grow /home/user/big 10240"); got != "ENOSPC" {
		t.Errorf("writing 10 GiB: %s, want ENOSPC", got)
	}
	if r := s.run("echo more > /tmp/more"); r.Exit == 0 {
		t.Error("another directory has room of its own")
	}
	stats, err := s.Stats(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if stats.StorageLimit != 32<<20 || stats.StorageBytes < 31<<20 {
		t.Errorf("storage %d of %d, want it full", stats.StorageBytes, stats.StorageLimit)
	}
	s.output("rm /home/user/big; echo more > /tmp/more")
}

func TestSharedMemoryCountsAsStorage(t *testing.T) {
	t.Parallel()
	s := start(t, namespaceLauncher(t), &isolation.Spec{Limits: isolation.Limits{Storage: 8 << 20, FileSize: 1 << 40}})
	if got := s.try("grow /dev/shm/big 100"); got != "ENOSPC" {
		t.Errorf("writing 100 MiB of shared memory: %s, want ENOSPC", got)
	}
}

func TestFileSizeIsBounded(t *testing.T) {
	t.Parallel()
	s := start(t, namespaceLauncher(t), &isolation.Spec{Limits: isolation.Limits{FileSize: 4 << 20}})
	r := s.run("trap '' XFSZ; head -c 9000000 /dev/zero > big; ls -l big | cut -d' ' -f5")
	if strings.TrimSpace(r.Stdout) != strconv.Itoa(4<<20) || !strings.Contains(r.Stderr, "File too large") {
		t.Errorf("a file of 9 MB under a limit of 4 MiB: %+v", r)
	}
}

// needSmallAgent skips where this executable does not fit the limit.
func needSmallAgent(t *testing.T) {
	t.Helper()
	if raceEnabled {
		t.Skip("the race detector's own memory exceeds the limit: covered by the run without it")
	}
}

func TestMemoryOfAProcessIsBounded(t *testing.T) {
	t.Parallel()
	needSmallAgent(t)
	s := start(t, namespaceLauncher(t), &isolation.Spec{Limits: isolation.Limits{Memory: 256 << 20}})
	if r := s.run("dd if=/dev/zero of=/dev/null bs=400M count=1"); r.Exit == 0 || !strings.Contains(r.Stderr, "memory exhausted") {
		t.Errorf("400 MiB in one process under a limit of 256 MiB: %+v", r)
	}
	s.output("dd if=/dev/zero of=/dev/null bs=100M count=1")
	s.output("echo alive")
}

func TestMemoryOfAllProcessesIsBounded(t *testing.T) {
	t.Parallel()
	needSmallAgent(t)
	s := start(t, namespaceLauncher(t), &isolation.Spec{Limits: isolation.Limits{Memory: 96 << 20}})
	s.output("true")
	// Each holds a buffer for as long as nobody reads its output.
	s.run(strings.Repeat("(dd if=/dev/zero bs=40M count=1 | sleep 100) >/dev/null 2>&1 &\n", 4))
	err := s.Wait()
	if err == nil || !strings.Contains(err.Error(), "its limit is 96 MiB") {
		t.Errorf("the sandbox ended with %v", err)
	}
}

func TestFilesInMemoryCountAsMemory(t *testing.T) {
	t.Parallel()
	needSmallAgent(t)
	s := start(t, namespaceLauncher(t), &isolation.Spec{Limits: isolation.Limits{Memory: 64 << 20}})
	s.run("(head -c 100000000 /dev/zero > big) &")
	if err := s.Wait(); err == nil || !strings.Contains(err.Error(), "its limit is 64 MiB") {
		t.Errorf("the sandbox ended with %v", err)
	}
}

func TestCoreFilesAndOutOfMemoryScore(t *testing.T) {
	t.Parallel()
	s := start(t, namespaceLauncher(t), &isolation.Spec{})
	if out := s.output("ulimit -c; cat /proc/self/oom_score_adj"); out != "0\n1000\n" {
		t.Errorf("core limit and score: %q", out)
	}
	// The way back to the usual 0 is open unless root with CAP_SYS_RESOURCE
	// set the score.
	if r := s.run("echo -1 > /proc/self/oom_score_adj"); r.Exit == 0 {
		t.Error("the score can be lowered below that of other processes")
	}
}
