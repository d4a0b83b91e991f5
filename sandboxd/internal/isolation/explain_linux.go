package isolation

import (
	"errors"
	"fmt"

	"golang.org/x/sys/unix"
)

// The oldest kernel on which everything that a sandbox relies on exists: since
// 5.12 a mount is made read-only before anything can see it, since 5.14 the
// limit of processes counts each sandbox for itself.
const minMajor, minMinor = 5, 14

// ErrUnavailable is what errors.Is finds when this machine does not allow the
// isolation at all; the text says what to do.
var ErrUnavailable = errors.New("namespace isolation is not available")

// explain turns the failure of a start into words that help. Kernels say
// "operation not permitted" to a dozen different obstacles.
func explain(err error, f *facts) error {
	failure, ok := errors.AsType[*startFailure](err)
	if !ok {
		return err
	}
	if help := advice(failure, f); help != "" {
		return fmt.Errorf("%w: %s (%w)", ErrUnavailable, help, failure)
	}
	return fmt.Errorf("start sandbox: %w", failure)
}

// advice is "" for a failure that is none of the machine's settings.
func advice(failure *startFailure, f *facts) string {
	refused := failure.Errno == unix.EPERM || failure.Errno == unix.EACCES
	switch {
	case tooOld(f.Kernel):
		return fmt.Sprintf("Linux %s is too old, 5.14 is the oldest that works: use --isolation docker", f.Kernel)
	case failure.Stage == "clone" && failure.Errno == unix.ENOSPC:
		return fmt.Sprintf("user.max_user_namespaces is %s: raise it with sysctl", f.MaxNamespaces)
	case failure.Stage == "clone" && (failure.Errno == unix.EINVAL || failure.Errno == unix.ENOSYS):
		return "this kernel has no user namespaces: use --isolation docker"
	case failure.Stage == "open" && failure.Errno == unix.EACCES:
		return unreachable(failure.Detail, f)
	case !refused:
		return ""
	case f.Container:
		return inContainerAdvice
	case f.UsernsClone == "0":
		return "kernel.unprivileged_userns_clone is 0: set it to 1 with sysctl, or use --isolation docker"
	case f.AppArmor == "1" && !f.Root:
		return appArmorAdvice(f.Executable)
	case failure.Stage == "clone":
		return "the kernel refuses user namespaces to this process: use --isolation docker"
	case failure.Stage == "proc":
		return "/proc is partly hidden from this process, as it is in containers: " + inContainerAdvice
	}
	return ""
}

const inContainerAdvice = "this process runs in a container whose profile forbids user namespaces; " +
	"the container is a boundary already: use --isolation none, or start the container with " +
	"--security-opt seccomp=unconfined --security-opt systempaths=unconfined"

// appArmorAdvice is for Ubuntu 23.10 and newer, which let a program make user
// namespaces only when a profile names it.
func appArmorAdvice(executable string) string {
	return fmt.Sprintf(`AppArmor forbids user namespaces to programs without a profile. Put this into /etc/apparmor.d/abx and run "apparmor_parser -r /etc/apparmor.d/abx":

	abi <abi/4.0>,
	profile abx %s flags=(unconfined) {
		userns,
	}

or set kernel.apparmor_restrict_unprivileged_userns to 0 with sysctl, or use --isolation docker`, executable)
}

func unreachable(path string, f *facts) string {
	if !f.Root {
		return ""
	}
	return fmt.Sprintf("%s is closed to other users, and a sandbox of root runs as a user of its own: "+
		"run as the owner of that directory, or choose one that everybody can enter", path)
}

func tooOld(kernel string) bool {
	var major, minor int
	if n, _ := fmt.Sscanf(kernel, "%d.%d", &major, &minor); n < 2 {
		return false
	}
	return major < minMajor || major == minMajor && minor < minMinor
}
