package isolation_test

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// toolName is argv[0] of this test binary when it acts as a program in a
// sandbox that tries something: the agent of the tests starts it for a script
// line "@name arguments".
const toolName = "sandbox-tool"

// tools try one thing each and report what the kernel said.
var tools = map[string]func(args []string) error{
	"ptrace": func(args []string) error {
		runtime.LockOSThread()
		return unix.PtraceAttach(number(args[0]))
	},
	"open-write": func(args []string) error {
		fd, err := unix.Open(args[0], unix.O_RDWR, 0)
		unix.Close(fd)
		return err
	},
	"socket": func(args []string) error {
		fd, err := unix.Socket(number(args[0]), unix.SOCK_STREAM, 0)
		unix.Close(fd)
		return err
	},
	"raw-socket": func([]string) error {
		fd, err := unix.Socket(unix.AF_INET, unix.SOCK_RAW, unix.IPPROTO_ICMP)
		unix.Close(fd)
		return err
	},
	"connect": func(args []string) error {
		conn, err := net.DialTimeout(args[0], args[1], 5*time.Second)
		if err == nil {
			conn.Close()
		}
		return err
	},
	"unshare-user": func([]string) error { return unix.Unshare(unix.CLONE_NEWUSER) },
	"clone-user": func([]string) error {
		cmd := exec.Command("/bin/true")
		cmd.SysProcAttr = &unix.SysProcAttr{Cloneflags: unix.CLONE_NEWUSER}
		return cmd.Run()
	},
	"keyctl":      func([]string) error { _, err := unix.KeyctlGetKeyringID(unix.KEY_SPEC_USER_KEYRING, false); return err },
	"io_uring":    func([]string) error { return raw(unix.SYS_IO_URING_SETUP, 1) },
	"bpf":         func([]string) error { return raw(unix.SYS_BPF, 0) },
	"perf":        func([]string) error { return raw(unix.SYS_PERF_EVENT_OPEN, 0) },
	"userfaultfd": func([]string) error { return raw(unix.SYS_USERFAULTFD, 0) },
	"mount":       func([]string) error { return unix.Mount("x", "/tmp", "tmpfs", 0, "") },
	"remount":     func([]string) error { return unix.Mount("", "/usr", "", unix.MS_REMOUNT|unix.MS_BIND, "") },
	"mknod":       func([]string) error { return unix.Mknod("/tmp/disk", unix.S_IFBLK|0o600, 8<<8) },
	"setuid":      func([]string) error { return unix.Setuid(0) },
	"hostname":    func([]string) error { return unix.Sethostname([]byte("x")) },
	"tiocsti": func([]string) error {
		c := byte('x')
		return rawIoctl(unix.TIOCSTI, &c)
	},
	"kill": func(args []string) error { return unix.Kill(number(args[0]), unix.Signal(number(args[1]))) },
	// fork starts sleepers until the system says no, and prints how many.
	"fork": func(args []string) error {
		for i := 0; ; i++ {
			cmd := exec.Command("/bin/sleep", "30")
			if err := cmd.Start(); err != nil || i == number(args[0]) {
				fmt.Println(i)
				return err
			}
		}
	},
	// grow writes a file of that many MiB.
	"grow": func(args []string) error {
		f, err := os.Create(args[0])
		if err != nil {
			return err
		}
		defer f.Close()
		block := make([]byte, 1<<20)
		for range number(args[1]) {
			if _, err := f.Write(block); err != nil {
				return err
			}
		}
		return nil
	},
}

func raw(call uintptr, arg uintptr) error {
	if _, _, errno := unix.Syscall6(call, arg, 0, 0, 0, 0, 0); errno != 0 {
		return errno
	}
	return nil
}

func rawIoctl(request uint, arg *byte) error {
	p, err := unix.Open("/dev/ptmx", unix.O_RDWR, 0)
	if err != nil {
		return err
	}
	return unix.IoctlSetPointerInt(p, request, int(*arg))
}

// proxyOf is the proxy of a sandbox. The usual function never uses one for
// loopback addresses.
func proxyOf(*http.Request) (*url.URL, error) { return url.Parse("http://127.0.0.1:3128") }

func number(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		panic(err)
	}
	return n
}

// runTool prints "ok" or the name of the error number.
func runTool() {
	if os.Args[0] != toolName {
		return
	}
	err := tools[os.Args[1]](os.Args[2:])
	var errno unix.Errno
	switch {
	case err == nil:
		fmt.Println("ok")
	case errors.As(err, &errno):
		fmt.Println(unix.ErrnoName(errno))
	default:
		fmt.Println(err)
	}
	os.Exit(0)
}

func toolCommand(args []string) *exec.Cmd {
	return &exec.Cmd{Path: "/proc/self/exe", Args: append([]string{toolName}, args...)}
}
