//go:build unix

package process

import (
	"os"

	"golang.org/x/sys/unix"

	"github.com/agentsandbox/agent-sandbox/sandboxclient/envd/process"
)

// setSize goes through SyscallConn: File.Fd, which pty.Setsize uses, would
// make reads of the terminal block beyond the reach of deadlines.
func setSize(tty *os.File, size *process.PTY_Size) error {
	conn, err := tty.SyscallConn()
	if err != nil {
		return err
	}
	ws := &unix.Winsize{Col: cells(size.GetCols()), Row: cells(size.GetRows())}
	outer := conn.Control(func(fd uintptr) { err = unix.IoctlSetWinsize(int(fd), unix.TIOCSWINSZ, ws) })
	if outer != nil {
		return outer
	}
	return os.NewSyscallError("set terminal size", err)
}

// pollable makes reads and writes of a file obey deadlines again, which the
// library ends when it asks for the descriptor. It takes the file over.
func pollable(f *os.File) (*os.File, error) {
	defer f.Close()
	fd, err := unix.FcntlInt(f.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		return nil, os.NewSyscallError("dup terminal", err)
	}
	if err := unix.SetNonblock(fd, true); err != nil {
		_ = unix.Close(fd)
		return nil, os.NewSyscallError("set terminal non-blocking", err)
	}
	return os.NewFile(uintptr(fd), f.Name()), nil
}
