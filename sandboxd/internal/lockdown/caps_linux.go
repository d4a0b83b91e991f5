package lockdown

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// secureBits forbid every way in which a program could be given capabilities
// again, and lock that: SECBIT_NOROOT, NO_SETUID_FIXUP and
// NO_CAP_AMBIENT_RAISE, each with its lock, and the lock of KEEP_CAPS.
const secureBits = 0x01 | 0x02 | 0x04 | 0x08 | 0x20 | 0x40 | 0x80

// DropCapabilities leaves this thread without capabilities and without a way
// to get one by an exec.
func DropCapabilities() error {
	for c := 0; ; c++ {
		err := unix.Prctl(unix.PR_CAPBSET_DROP, uintptr(c), 0, 0, 0)
		if err == unix.EINVAL { // one past the last that this kernel knows
			break
		}
		if err != nil {
			return fmt.Errorf("drop capability %d: %w", c, err)
		}
	}
	if err := unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0); err != nil {
		return fmt.Errorf("clear ambient capabilities: %w", err)
	}
	if err := unix.Prctl(unix.PR_SET_SECUREBITS, secureBits, 0, 0, 0); err != nil {
		return fmt.Errorf("set secure bits: %w", err)
	}
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var none [2]unix.CapUserData
	if err := unix.Capset(&header, &none[0]); err != nil {
		return fmt.Errorf("drop capabilities: %w", err)
	}
	return nil
}

// NoNewPrivileges makes setuid bits and file capabilities void.
func NoNewPrivileges() error {
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("set no_new_privs: %w", err)
	}
	return nil
}

// Undumpable closes this process to ptrace and hides its memory, descriptors
// and environment from processes of the same user. An exec undoes it.
func Undumpable() error {
	if err := unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0); err != nil {
		return fmt.Errorf("set undumpable: %w", err)
	}
	return nil
}

// NewKeyring leaves the key ring that the session of the server's user has.
func NewKeyring() error {
	_, err := unix.KeyctlInt(unix.KEYCTL_JOIN_SESSION_KEYRING, 0, 0, 0, 0) // 0: without a name
	if err == unix.ENOSYS {                                                // a kernel without keys has none to leave
		return nil
	}
	if err != nil {
		return fmt.Errorf("join new key ring: %w", err)
	}
	return nil
}
