package main

// denied are system calls that a program in a sandbox has no use for and that
// widen what it can attack: the mount and namespace interfaces, the kernel's
// key rings, and what has a record of kernel faults. The answer is EPERM. A
// name that an architecture lacks is left out there.
var denied = []string{
	"mount", "umount2", "umount", "pivot_root", "chroot", "open_tree", "move_mount",
	"fsopen", "fsconfig", "fsmount", "fspick", "mount_setattr", "open_by_handle_at",
	"unshare", "setns",
	"keyctl", "add_key", "request_key",
	"bpf", "perf_event_open", "userfaultfd", "fanotify_init", "lookup_dcookie",
	"io_uring_setup", "io_uring_enter", "io_uring_register",
	"kexec_load", "kexec_file_load", "init_module", "finit_module", "delete_module", "create_module",
	"quotactl", "quotactl_fd", "acct", "swapon", "swapoff", "reboot", "syslog",
	"settimeofday", "clock_settime", "clock_adjtime", "adjtimex", "stime",
	"vhangup", "modify_ldt", "iopl", "ioperm", "nfsservctl", "uselib",
}

// unknown are answered with ENOSYS, so that the C library falls back to an
// older call. The flags of clone3 lie in memory, where a filter cannot look;
// those of clone do not.
var unknown = []string{"clone3"}

// namespaceFlags are the CLONE_NEW* flags of clone(2): cgroup, uts, ipc, user,
// pid, net, ns, time.
const namespaceFlags = 0x02000000 | 0x04000000 | 0x08000000 | 0x10000000 |
	0x20000000 | 0x40000000 | 0x00020000 | 0x00000080

// clone's lowest byte is the signal of the child's end, in which the bit of
// CLONE_NEWTIME has no such meaning.
const cloneFlags = namespaceFlags &^ 0xff

// families are the only socket families: UNIX, INET, INET6, NETLINK. A network
// namespace does not cover others, such as VSOCK.
var families = []uint32{1, 2, 10, 16}

// terminalInput are the ioctls that put bytes into a terminal's input:
// TIOCSTI and TIOCLINUX.
var terminalInput = []uint32{0x5412, 0x541C}
