package isolation

import (
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
)

// socketName is the agent's socket in the directory of its sandbox, which is
// closed to everybody else.
const socketName = "agent.sock"

// socket is the agent's listening socket as the server sees it.
type socket struct {
	path string // what Dial uses; see shortPath
	dir  *os.File
}

// listen makes the socket of the sandbox whose directory this is, and returns
// it with the descriptor to give to the agent.
func listen(dir string) (*socket, *os.File, error) {
	s := &socket{}
	if err := s.choosePath(dir); err != nil {
		return nil, nil, err
	}
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: s.path, Net: "unix"})
	if err != nil {
		s.close()
		return nil, nil, fmt.Errorf("listen for agent: %w", err)
	}
	l.SetUnlinkOnClose(false)
	defer l.Close()
	file, err := l.File()
	if err != nil {
		s.close()
		return nil, nil, fmt.Errorf("listen for agent: %w", err)
	}
	return s, file, nil
}

func (s *socket) choosePath(dir string) (err error) {
	if s.dir, err = os.Open(dir); err != nil {
		return fmt.Errorf("open sandbox directory: %w", err)
	}
	s.path = filepath.Join(shortPath(s.dir, dir), socketName)
	return nil
}

func (s *socket) dial(ctx context.Context) (net.Conn, error) {
	var d net.Dialer
	return d.DialContext(ctx, "unix", s.path)
}

func (s *socket) close() { s.dir.Close() }
