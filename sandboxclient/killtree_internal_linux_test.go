package sandboxclient

import (
	"bufio"
	"errors"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// The script works in any shell, and without any program beside it.
func TestKillTreeScript(t *testing.T) {
	t.Parallel()
	for _, shell := range []string{"dash", "bash", "busybox"} {
		path, err := exec.LookPath(shell)
		if err != nil {
			t.Logf("%s is not here and was left out", shell)
			continue
		}
		for name, env := range map[string][]string{"with grep": {"PATH=" + os.Getenv("PATH")}, "alone": {"PATH=/nowhere"}} {
			t.Run(shell+" "+name, func(t *testing.T) {
				t.Parallel()
				mark := runVariable + "=" + newRunID()
				root, all := startTree(t, mark)
				args := []string{"-c", killTreeScript, "sh", "9", strconv.Itoa(root), mark}
				if shell == "busybox" {
					args = append([]string{"sh"}, args...)
				}
				script := exec.CommandContext(t.Context(), path, args...)
				script.Env = env
				if out, err := script.CombinedOutput(); err != nil || len(out) > 0 {
					t.Errorf("%v: %s", err, out)
				}
				for _, pid := range all {
					if err := syscall.Kill(pid, 0); !errors.Is(err, syscall.ESRCH) && !zombie(pid) {
						t.Errorf("process %d is alive", pid)
					}
				}
			})
		}
	}
}

// startTree starts a shell with children that are hard to find, and gives its
// pid and those of all.
func startTree(t *testing.T, mark string) (root int, all []int) {
	t.Helper()
	const script = `# a variable with line breaks stands before the mark
setsid sh -c 'echo $$; exec sleep 60' &
env -i /bin/sh -c 'echo $$; exec /bin/sleep 60' &
(sh -c 'sh -c "echo \$\$; exec sleep 60" &')
wait; sleep 60`
	cmd := exec.Command("sh", "-c", script)
	cmd.Env = append(os.Environ(), "A=1\n2\n", mark, "Z=3\n4")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	all = []int{cmd.Process.Pid}
	for lines := bufio.NewScanner(out); len(all) < 4 && lines.Scan(); {
		pid, err := strconv.Atoi(lines.Text())
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, pid)
	}
	return cmd.Process.Pid, all
}

func zombie(pid int) bool {
	status, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/status")
	return err == nil && strings.Contains(string(status), "State:\tZ")
}
