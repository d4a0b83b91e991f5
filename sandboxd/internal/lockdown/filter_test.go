//go:build linux && (amd64 || arm64)

package lockdown

import (
	"encoding/binary"
	"runtime"
	"testing"

	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"
)

const (
	retAllow  = unix.SECCOMP_RET_ALLOW
	retEPERM  = unix.SECCOMP_RET_ERRNO | uint32(unix.EPERM)
	retENOSYS = unix.SECCOMP_RET_ERRNO | uint32(unix.ENOSYS)
	retKill   = unix.SECCOMP_RET_KILL_PROCESS
)

func native() uint32 {
	if runtime.GOARCH == "arm64" {
		return unix.AUDIT_ARCH_AARCH64
	}
	return unix.AUDIT_ARCH_X86_64
}

// decide runs the filter on one call. The virtual machine loads big-endian,
// the kernel's seccomp natively, so each word is written big-endian here.
func decide(t *testing.T, arch, number uint32, args ...uint64) uint32 {
	t.Helper()
	data := make([]byte, 64)
	binary.BigEndian.PutUint32(data[0:], number)
	binary.BigEndian.PutUint32(data[4:], arch)
	for i, arg := range args {
		binary.BigEndian.PutUint32(data[16+8*i:], uint32(arg))
		binary.BigEndian.PutUint32(data[20+8*i:], uint32(arg>>32))
	}
	instructions := make([]bpf.Instruction, len(filter))
	for i, in := range filter {
		instructions[i] = bpf.RawInstruction{Op: in.Code, Jt: in.Jt, Jf: in.Jf, K: in.K}.Disassemble()
	}
	vm, err := bpf.NewVM(instructions)
	if err != nil {
		t.Fatal(err)
	}
	verdict, err := vm.Run(data)
	if err != nil {
		t.Fatal(err)
	}
	return uint32(verdict)
}

func TestFilterDecides(t *testing.T) {
	t.Parallel()
	const sigchld = uint64(unix.SIGCHLD)
	for name, c := range map[string]struct {
		want, number uint32
		args         []uint64
	}{
		"read":               {retAllow, unix.SYS_READ, nil},
		"execve":             {retAllow, unix.SYS_EXECVE, nil},
		"ptrace":             {retAllow, unix.SYS_PTRACE, nil},
		"mount":              {retEPERM, unix.SYS_MOUNT, nil},
		"keyctl":             {retEPERM, unix.SYS_KEYCTL, nil},
		"io_uring_setup":     {retEPERM, unix.SYS_IO_URING_SETUP, nil},
		"bpf":                {retEPERM, unix.SYS_BPF, nil},
		"setns":              {retEPERM, unix.SYS_SETNS, nil},
		"unshare":            {retEPERM, unix.SYS_UNSHARE, nil},
		"open_by_handle_at":  {retEPERM, unix.SYS_OPEN_BY_HANDLE_AT, nil},
		"clone3":             {retENOSYS, unix.SYS_CLONE3, nil},
		"fork":               {retAllow, unix.SYS_CLONE, []uint64{sigchld}},
		"thread":             {retAllow, unix.SYS_CLONE, []uint64{unix.CLONE_VM | unix.CLONE_THREAD | unix.CLONE_SIGHAND | unix.CLONE_FS | unix.CLONE_FILES}},
		"user namespace":     {retEPERM, unix.SYS_CLONE, []uint64{sigchld | unix.CLONE_NEWUSER}},
		"mount namespace":    {retEPERM, unix.SYS_CLONE, []uint64{sigchld | unix.CLONE_NEWNS}},
		"unix socket":        {retAllow, unix.SYS_SOCKET, []uint64{unix.AF_UNIX}},
		"inet socket":        {retAllow, unix.SYS_SOCKET, []uint64{unix.AF_INET}},
		"inet6 socket":       {retAllow, unix.SYS_SOCKET, []uint64{unix.AF_INET6}},
		"netlink socket":     {retAllow, unix.SYS_SOCKET, []uint64{unix.AF_NETLINK}},
		"vsock socket":       {retEPERM, unix.SYS_SOCKET, []uint64{unix.AF_VSOCK}},
		"packet socket":      {retEPERM, unix.SYS_SOCKET, []uint64{unix.AF_PACKET}},
		"alg socket":         {retEPERM, unix.SYS_SOCKET, []uint64{unix.AF_ALG}},
		"unix socket pair":   {retAllow, unix.SYS_SOCKETPAIR, []uint64{unix.AF_UNIX}},
		"terminal size":      {retAllow, unix.SYS_IOCTL, []uint64{0, unix.TIOCGWINSZ}},
		"terminal injection": {retEPERM, unix.SYS_IOCTL, []uint64{0, unix.TIOCSTI}},
		"high request bits":  {retEPERM, unix.SYS_IOCTL, []uint64{0, 1<<32 | unix.TIOCSTI}},
		"console":            {retEPERM, unix.SYS_IOCTL, []uint64{0, unix.TIOCLINUX}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := decide(t, native(), c.number, c.args...); got != c.want {
				t.Errorf("verdict %#x, want %#x", got, c.want)
			}
		})
	}
}

func TestFilterKillsForeignArchitectures(t *testing.T) {
	t.Parallel()
	if got := decide(t, unix.AUDIT_ARCH_I386, 3); got != retKill {
		t.Errorf("a call of another architecture gets %#x, want %#x", got, uint32(retKill))
	}
	if runtime.GOARCH == "amd64" {
		if got := decide(t, native(), 0x40000000); got != retENOSYS {
			t.Errorf("an x32 call gets %#x, want %#x", got, retENOSYS)
		}
	}
}
