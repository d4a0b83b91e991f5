package isolation

import (
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// facts are what an explanation may need to know of the machine. None of them
// decides whether a sandbox is tried.
type facts struct {
	Container     bool   // this process runs in a container
	AppArmor      string // kernel.apparmor_restrict_unprivileged_userns
	UsernsClone   string // kernel.unprivileged_userns_clone, on Debian
	MaxNamespaces string // user.max_user_namespaces
	Kernel        string // "6.18.1-generic"
	Executable    string
	Root          bool
}

func readFacts() *facts {
	f := &facts{
		Container:     inContainer(),
		AppArmor:      sysctl("kernel/apparmor_restrict_unprivileged_userns"),
		UsernsClone:   sysctl("kernel/unprivileged_userns_clone"),
		MaxNamespaces: sysctl("user/max_user_namespaces"),
		Root:          os.Geteuid() == 0,
	}
	f.Executable, _ = os.Executable()
	var name unix.Utsname
	if unix.Uname(&name) == nil {
		f.Kernel = unix.ByteSliceToString(name.Release[:])
	}
	return f
}

func sysctl(name string) string {
	value, _ := os.ReadFile(filepath.Join("/proc/sys", name))
	return strings.TrimSpace(string(value))
}

func inContainer() bool {
	for _, name := range []string{"/.dockerenv", "/run/.containerenv"} {
		if _, err := os.Stat(name); err == nil {
			return true
		}
	}
	return os.Getenv("container") != ""
}
