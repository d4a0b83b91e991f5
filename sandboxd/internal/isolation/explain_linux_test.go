package isolation

import (
	"errors"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

func TestExplain(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		stage, detail string
		errno         unix.Errno
		facts         facts
		want          []string // parts of the text; none: not the machine's fault
	}{
		"container":           {"clone", "", unix.EPERM, facts{Container: true}, []string{"container", "--isolation none", "systempaths=unconfined"}},
		"container, opened":   {"proc", "/proc", unix.EPERM, facts{Container: true}, []string{"container", "systempaths=unconfined"}},
		"masked proc":         {"proc", "/proc", unix.EPERM, facts{}, []string{"/proc", "systempaths=unconfined"}},
		"Debian":              {"clone", "", unix.EPERM, facts{UsernsClone: "0"}, []string{"kernel.unprivileged_userns_clone"}},
		"Ubuntu":              {"staging tmpfs", "", unix.EACCES, facts{AppArmor: "1", Executable: "/opt/abx"}, []string{"AppArmor", "profile abx /opt/abx flags=(unconfined)", "userns,"}},
		"Ubuntu, root":        {"clone", "", unix.EPERM, facts{AppArmor: "1", Root: true}, []string{"--isolation docker"}},
		"no namespaces left":  {"clone", "", unix.ENOSPC, facts{MaxNamespaces: "0"}, []string{"user.max_user_namespaces is 0"}},
		"kernel without them": {"clone", "", unix.EINVAL, facts{}, []string{"no user namespaces", "--isolation docker"}},
		"old kernel":          {"open", "/usr", unix.ENOSYS, facts{Kernel: "4.18.0-553.el8"}, []string{"4.18.0-553.el8", "5.14", "--isolation docker"}},
		"closed directory":    {"open", "/root/.pyenv", unix.EACCES, facts{Root: true}, []string{"/root/.pyenv", "run as the owner"}},
		"something else":      {"file", "/etc/hosts", unix.ENOSPC, facts{Kernel: "6.18.44"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			failure := &startFailure{status{Stage: c.stage, Detail: c.detail, Errno: c.errno, Text: c.errno.Error()}}
			err := explain(failure, &c.facts)
			if errors.Is(err, ErrUnavailable) != (c.want != nil) {
				t.Errorf("unavailable should be %v: %v", c.want != nil, err)
			}
			for _, part := range c.want {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("%q is not in: %v", part, err)
				}
			}
			if !errors.Is(err, c.errno) {
				t.Errorf("the cause is lost: %v", err)
			}
		})
	}
}

func TestTooOld(t *testing.T) {
	t.Parallel()
	for kernel, want := range map[string]bool{
		"4.18.0-553.el8.x86_64": true, "5.4.0-generic": true, "5.13.19": true,
		"5.14.0-427.el9": false, "5.15.0": false, "6.1.0-18-amd64": false, "10.0": false, "": false,
	} {
		if got := tooOld(kernel); got != want {
			t.Errorf("tooOld(%q) = %v", kernel, got)
		}
	}
}

func TestUIDsAreUniqueAndNeverRoot(t *testing.T) {
	t.Parallel()
	u := newUIDs()
	taken := map[int]bool{}
	for range uidsABlock {
		uid, err := u.take()
		if err != nil {
			t.Fatal(err)
		}
		if uid < uidRange || uid >= 1<<31 || taken[uid] {
			t.Fatalf("uid %d is out of range or taken", uid)
		}
		taken[uid] = true
	}
	if _, err := u.take(); err == nil {
		t.Error("more ids than the block has")
	}
	for uid := range taken {
		u.release(uid)
		if again, err := u.take(); err != nil || again != uid {
			t.Errorf("released %d, got %d, %v", uid, again, err)
		}
		break
	}
}

func TestToolchainsThatShowTooMuch(t *testing.T) {
	t.Setenv("HOME", "/home/me")
	for prefix, ok := range map[string]bool{
		"/": false, "/home": false, "/home/me": false, "/home/other": false, "/root": false, "/opt": false,
		"relative": false, "/usr/../root/x": false, "/var/lib": false, "/nonexistent/tool": false,
		"/usr/share": true,
	} {
		if err := checkToolchain(prefix, "/var/lib/abx/sandboxes/x"); (err == nil) != ok {
			t.Errorf("%s: %v, allowed should be %v", prefix, err, ok)
		}
	}
}
