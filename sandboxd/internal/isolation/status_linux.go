package isolation

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"

	"golang.org/x/sys/unix"
)

// status is what the first process of a sandbox says once: that the sandbox is
// built, together with descriptors, or where building it failed. The channel's
// end without a failure means that the agent was started.
type status struct {
	Stage  string        `json:"stage,omitempty"`
	Detail string        `json:"detail,omitempty"`
	Errno  unix.Errno    `json:"errno,omitempty"`
	Text   string        `json:"text,omitempty"`
	Gives  []givenHandle `json:"gives,omitempty"`
}

// givenHandle names a descriptor that comes with a status.
type givenHandle string

const (
	givenStore givenHandle = "store" // O_PATH of the writable file system
	givenProxy givenHandle = "proxy" // listening socket in the sandbox's network
)

// startFailure is a failure that the first process reported.
type startFailure struct{ status }

func (f *startFailure) Error() string {
	if f.Detail != "" {
		return fmt.Sprintf("%s %s: %s", f.Stage, f.Detail, f.Text)
	}
	return fmt.Sprintf("%s: %s", f.Stage, f.Text)
}

func (f *startFailure) Unwrap() error {
	if f.Errno == 0 {
		return nil
	}
	return f.Errno
}

// statusPair makes the channel: ours, and the descriptor for the child.
func statusPair() (*net.UnixConn, *os.File, error) {
	fds, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_SEQPACKET|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, nil, fmt.Errorf("make status channel: %w", err)
	}
	theirs := os.NewFile(uintptr(fds[1]), "status")
	ours := os.NewFile(uintptr(fds[0]), "status")
	defer ours.Close()
	conn, err := net.FileConn(ours)
	if err != nil {
		theirs.Close()
		return nil, nil, fmt.Errorf("make status channel: %w", err)
	}
	return conn.(*net.UnixConn), theirs, nil
}

// maxStatus is the size of the longest status.
const maxStatus = 16 << 10

// awaitStart reads the channel to its end and returns the descriptors that
// came.
func awaitStart(ctx context.Context, conn *net.UnixConn) (map[givenHandle]*os.File, error) {
	defer conn.Close()
	stop := context.AfterFunc(ctx, func() { conn.Close() })
	defer stop()
	given := map[givenHandle]*os.File{}
	for {
		s, files, err := readStatus(conn)
		for i, f := range files {
			given[s.Gives[i]] = f
		}
		switch {
		case ctx.Err() != nil:
			err = fmt.Errorf("start sandbox: %w", context.Cause(ctx))
		case err == nil && s == nil:
			return given, nil
		case err == nil && s.Stage != "":
			err = &startFailure{*s}
		}
		if err != nil {
			closeAll(given)
			return nil, err
		}
	}
}

func closeAll(given map[givenHandle]*os.File) {
	for _, f := range given {
		f.Close()
	}
}

// readStatus returns nil at the end of the channel.
func readStatus(conn *net.UnixConn) (*status, []*os.File, error) {
	body, control := make([]byte, maxStatus), make([]byte, unix.CmsgSpace(4*4))
	n, controls, _, _, err := conn.ReadMsgUnix(body, control)
	if n == 0 { // a packet socket's end is an empty packet, or io.EOF
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, fmt.Errorf("read status: %w", err)
	}
	var s status
	if err := json.Unmarshal(body[:n], &s); err != nil {
		return nil, nil, fmt.Errorf("read status: %w", err)
	}
	files, err := received(control[:controls])
	if err == nil && len(files) != len(s.Gives) {
		err = errors.New("read status: descriptors are missing")
	}
	return &s, files, err
}

func received(control []byte) ([]*os.File, error) {
	messages, err := unix.ParseSocketControlMessage(control)
	if err != nil {
		return nil, fmt.Errorf("read descriptors: %w", err)
	}
	var files []*os.File
	for _, m := range messages {
		fds, err := unix.ParseUnixRights(&m)
		if err != nil {
			return nil, fmt.Errorf("read descriptors: %w", err)
		}
		for _, fd := range fds {
			unix.CloseOnExec(fd)
			files = append(files, os.NewFile(uintptr(fd), "given"))
		}
	}
	return files, nil
}

// tell sends a status from inside.
func tell(fd int, s *status, handles ...int) error {
	body, err := json.Marshal(s)
	if err != nil {
		return err
	}
	var rights []byte
	if len(handles) > 0 {
		rights = unix.UnixRights(handles...)
	}
	return unix.Sendmsg(fd, body, rights, nil, 0)
}
