package harness

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// leftLimit is how long processes of a dead abx may take to follow it.
const leftLimit = 10 * time.Second

// Adopt makes this process the parent of every process that an abx leaves
// behind, so that leftovers can be found. Call it in TestMain.
func Adopt() error { return unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) }

// startedByTest says whether a child is one that Start made. Those carry a
// mark in their environment, which what they start in turn does not inherit.
func startedByTest(pid int) bool {
	environ, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid))
	return err == nil && strings.Contains(string(environ), testMark+"=")
}

// CheckNothingLeft fails the test when processes of an abx that ended are still
// there after a while, or files below the directories.
func CheckNothingLeft(t testing.TB, dirs ...string) {
	t.Helper()
	deadline := time.Now().Add(leftLimit)
	left := orphans()
	for len(left) > 0 && time.Now().Before(deadline) {
		time.Sleep(20 * time.Millisecond) // there is no event for the end of a grandchild
		left = orphans()
	}
	for _, process := range left {
		t.Errorf("left running: %s", process)
	}
	for _, dir := range dirs {
		for _, file := range filesBelow(dir) {
			t.Errorf("left behind: %s", file)
		}
	}
}

// orphans lists the running processes that became children of this one. Those
// that have ended stay zombies: to reap them could take a status from os/exec.
func orphans() []string {
	starting.Lock()
	defer starting.Unlock()
	var left []string
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, stat := range stats {
		pid, state, parent, name := readStat(stat)
		if parent != os.Getpid() || state == "Z" || startedByTest(pid) {
			continue
		}
		left = append(left, fmt.Sprintf("%d %s", pid, name))
	}
	return left
}

func readStat(path string) (pid int, state string, parent int, name string) {
	data, err := os.ReadFile(path)
	if err != nil {
		return 0, "", 0, ""
	}
	end := strings.LastIndexByte(string(data), ')')
	head, rest := string(data[:end+1]), string(data[end+1:])
	_, _ = fmt.Sscan(head, &pid)
	_, _ = fmt.Sscan(rest, &state, &parent)
	return pid, state, parent, head
}

// Mounts counts the mounts that this process sees.
func Mounts(t testing.TB) int {
	t.Helper()
	data, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		t.Fatal(err)
	}
	return strings.Count(string(data), "\n")
}

func filesBelow(dir string) []string {
	var files []string
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && !lockFile(path) {
			files = append(files, path)
		}
		return nil
	})
	return files
}

// lockFile says whether path is one of the empty files that guard a state
// directory; they stay.
func lockFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Size() == 0 && strings.Contains(filepath.Base(path), "lock")
}
