package isolation_test

import (
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/isolation"
)

// namespaceLauncher is a launcher that works, or the end of the test.
func namespaceLauncher(t *testing.T) isolation.Launcher {
	t.Helper()
	return probed(t, launcher(t, isolation.Namespace, filepath.Join(stateBase(t), "state")))
}

func probed(t *testing.T, l isolation.Launcher) isolation.Launcher {
	t.Helper()
	if err := l.Probe(t.Context()); err != nil {
		t.Skip(err)
	}
	return l
}

// stateBase is a temporary directory that another user can enter, which those
// of testing cannot be.
func stateBase(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "abx-test-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o711); err != nil {
		t.Fatal(err)
	}
	return dir
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
	if os.Geteuid() == 0 {
		if groups := strings.TrimSpace(s.output("id -G")); groups != "1000" {
			t.Errorf("groups %s, want 1000 alone", groups)
		}
	}
}

func TestNamespaceHidesTheHost(t *testing.T) {
	t.Parallel()
	canary := "canary-" + rand8()
	dirs := []string{os.TempDir(), "/var/tmp", "/dev/shm"}
	if os.Geteuid() == 0 {
		dirs = append(dirs, "/root", "/opt", "/home", "/srv", "/var/lib", "/etc", "/run")
	}
	for _, dir := range dirs {
		path := filepath.Join(dir, canary)
		if err := os.WriteFile(path, nil, 0o644); err != nil {
			t.Fatal(err)
		}
		defer os.Remove(path)
	}
	l := namespaceLauncher(t)
	other, s := start(t, l, &isolation.Spec{}), start(t, l, &isolation.Spec{})
	other.output("touch /tmp/" + canary + " /home/user/" + canary)
	if found := s.run("find / -xdev -name " + canary + " 2>/dev/null; find /tmp /home /app /run /var /dev /root /opt /srv /mnt -name " + canary); found.Stdout != "" {
		t.Errorf("visible inside: %s", found.Stdout)
	}
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	if r := s.run("ls " + here); r.Exit == 0 {
		t.Errorf("the directory of these tests is visible: %s", r.Stdout)
	}
	if _, err := os.Stat("/etc/shadow"); err == nil {
		if r := s.run("ls /etc/shadow /etc/ssh /etc/sudoers 2>/dev/null"); r.Stdout != "" {
			t.Errorf("visible inside: %s", r.Stdout)
		}
	}
}

func TestNamespaceShowsOnlyItsOwnProcesses(t *testing.T) {
	t.Parallel()
	s := start(t, namespaceLauncher(t), &isolation.Spec{})
	pids := strings.Fields(s.output("cd /proc; echo [0-9]*"))
	if len(pids) != 3 { // supervisor, agent, shell
		t.Errorf("processes %v, want three", pids)
	}
	if out := s.output("cat /proc/1/cmdline"); !strings.HasPrefix(out, "abx-sandbox\x00supervisor") {
		t.Errorf("process 1 is %q", out)
	}
}

func TestNamespaceMountsAreReadOnly(t *testing.T) {
	t.Parallel()
	s := start(t, namespaceLauncher(t), &isolation.Spec{})
	for _, path := range []string{"/x", "/usr/x", "/usr/bin/x", "/etc/x", "/etc/passwd", "/bin/x", "/root/x", "/proc/sys/kernel/hostname"} {
		r := s.run("echo x > " + path)
		if r.Exit == 0 || !strings.Contains(r.Stderr, "Read-only file system") {
			t.Errorf("writing %s: exit %d %s", path, r.Exit, r.Stderr)
		}
	}
	writable := map[string]bool{"/home/user": true, "/app": true, "/tmp": true, "/var/tmp": true, "/run": true, "/dev/shm": true}
	for line := range strings.Lines(s.output("cat /proc/self/mountinfo")) {
		fields := strings.Fields(line)
		target, options := fields[4], strings.Split(fields[5], ",")
		if slices.Contains(options, "rw") && !writable[target] && target != "/proc" && !strings.HasPrefix(target, "/dev/") {
			t.Errorf("%s is writable", target)
		}
		if !slices.Contains(options, "nosuid") {
			t.Errorf("%s lets setuid programs work", target)
		}
	}
	s.output("for d in /home/user /app /tmp /var/tmp /run /dev/shm; do echo x > $d/x || exit 1; done")
}

func TestNamespaceKernelInterfaces(t *testing.T) {
	t.Parallel()
	s := start(t, namespaceLauncher(t), &isolation.Spec{})
	for tool, allowed := range map[string][]string{
		"open-write /proc/sys/kernel/core_pattern": {"EACCES", "EROFS"},
		"open-write /proc/sys/vm/drop_caches":      {"EACCES", "EROFS"},
		"open-write /proc/sysrq-trigger":           {"EACCES", "EROFS", "ENOENT"},
		"open-write /proc/kcore":                   {"EACCES", "EROFS", "EPERM", "ENOENT", "ok"}, // masked by /dev/null
		"open-write /proc/1/mem":                   {"EACCES"},
		"unshare-user":                             {"EPERM"},
		"clone-user":                               {"EPERM"},
		"keyctl":                                   {"EPERM"},
		"io_uring":                                 {"EPERM"},
		"bpf":                                      {"EPERM"},
		"perf":                                     {"EPERM"},
		"userfaultfd":                              {"EPERM"},
		"mount":                                    {"EPERM"},
		"remount":                                  {"EPERM"},
		"mknod":                                    {"EPERM"},
		"setuid":                                   {"EINVAL", "EPERM"},
		"hostname":                                 {"EPERM"},
		"tiocsti":                                  {"EPERM"},
		"raw-socket":                               {"EPERM"},
		fmt.Sprint("socket ", unix.AF_VSOCK):       {"EPERM"},
		fmt.Sprint("socket ", unix.AF_PACKET):      {"EPERM"},
		fmt.Sprint("socket ", unix.AF_INET6):       {"ok"},
		"ptrace 1":                                 {"EPERM"},
	} {
		if got := s.try(tool); !slices.Contains(allowed, got) {
			t.Errorf("%s: %s, want one of %v", tool, got, allowed)
		}
	}
}

func TestNamespaceShieldsSupervisorAndAgent(t *testing.T) {
	t.Parallel()
	s := start(t, namespaceLauncher(t), &isolation.Spec{})
	agent := strings.TrimSpace(s.output("echo $PPID"))
	for _, pid := range []string{"1", agent} {
		if got := s.try("ptrace " + pid); got != "EPERM" {
			t.Errorf("ptrace of process %s: %s, want EPERM", pid, got)
		}
		for _, file := range []string{"environ", "fd", "exe", "root", "maps"} {
			if r := s.run(fmt.Sprintf("ls -L /proc/%s/%s/ >/dev/null 2>&1 || cat /proc/%s/%s", pid, file, pid, file)); r.Exit == 0 && r.Stdout != "" {
				t.Errorf("process %s: %s can be read: %q", pid, file, r.Stdout)
			}
		}
	}
	s.try(fmt.Sprint("kill 1 ", int(syscall.SIGSTOP)))
	s.try(fmt.Sprint("kill 1 ", int(syscall.SIGKILL)))
	if state := strings.TrimSpace(s.output("cut -d' ' -f3 /proc/1/stat")); state == "T" {
		t.Error("process 1 can be stopped from inside")
	}
}

// TestNamespaceAgentCannotBeStopped stops the agent from inside, which is of the
// same user: it must answer all the same.
func TestNamespaceAgentCannotBeStopped(t *testing.T) {
	t.Parallel()
	s := start(t, namespaceLauncher(t), &isolation.Spec{})
	s.run("kill -STOP $PPID")
	if got := s.output("echo answered"); got != "answered\n" {
		t.Errorf("after the agent was stopped: %q", got)
	}
}

func TestNamespaceNetworkIsItsOwn(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	abstract := "@abx-test-" + rand8()
	l, err := net.Listen("unix", abstract)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	s := start(t, namespaceLauncher(t), &isolation.Spec{})
	if got := s.try("connect tcp " + server.Listener.Addr().String()); got != "ECONNREFUSED" {
		t.Errorf("the host's loopback: %s, want ECONNREFUSED", got)
	}
	if got := s.try("connect unix " + abstract); got != "ECONNREFUSED" {
		t.Errorf("an abstract socket of the host: %s, want ECONNREFUSED", got)
	}
	if got := s.try("connect tcp 8.8.8.8:53"); got != "ENETUNREACH" {
		t.Errorf("the internet: %s, want ENETUNREACH", got)
	}
}

func TestNamespaceDescriptors(t *testing.T) {
	t.Parallel()
	leak, err := unix.Open("/dev/null", unix.O_RDONLY, 0) // without close-on-exec, as an IDE may leave it
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(leak)
	if leak < 10 { // high, so that no descriptor that we pass covers it
		high, err := unix.FcntlInt(uintptr(leak), unix.F_DUPFD, 40)
		if err != nil {
			t.Fatal(err)
		}
		defer unix.Close(high)
	}
	s := start(t, namespaceLauncher(t), &isolation.Spec{})
	if fds := strings.Fields(s.output("ls /proc/$$/fd")); !slices.Equal(fds, []string{"0", "1", "2"}) {
		t.Errorf("descriptors of a command: %v", fds)
	}
}
