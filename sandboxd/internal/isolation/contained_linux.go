package isolation

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/lockdown"
	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/tunnel"
)

// runContained is the life of the agent in a container. All that connects it
// to the server are its standard input and output, which exist wherever a
// container runs: no port, no shared directory.
func runContained(agent AgentFunc) error {
	if err := lockdown.Undumpable(); err != nil {
		return err
	}
	stream, err := takeStandardStreams()
	if err != nil {
		return err
	}
	var b boot
	if err := readFrame(stream, &b); err != nil {
		return fmt.Errorf("read start message: %w", err)
	}
	proxy, err := net.Listen("tcp4", proxyAddress)
	if err != nil {
		return fmt.Errorf("listen for proxy: %w", err)
	}
	l := newPairs()
	served := make(chan error, 2)
	go func() { served <- tunnel.ServeInside(stream, l.connect, proxy.Accept) }()
	go func() { served <- agent(l, &b.Place, b.Config) }()
	return <-served
}

// standardStreams are the container's input and output as one stream.
type standardStreams struct {
	io.Reader
	io.Writer
}

func (standardStreams) Close() error { return nil }

// takeStandardStreams moves the streams to descriptors that no child inherits
// and leaves /dev/null and standard error in their place.
func takeStandardStreams() (io.ReadWriteCloser, error) {
	var taken [2]*os.File
	for fd := range taken {
		moved, err := unix.FcntlInt(uintptr(fd), unix.F_DUPFD_CLOEXEC, 3)
		if err != nil {
			return nil, os.NewSyscallError("fcntl", err)
		}
		taken[fd] = os.NewFile(uintptr(moved), "stream")
	}
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	defer null.Close()
	err = errors.Join(unix.Dup3(int(null.Fd()), 0, 0), unix.Dup3(2, 1, 0))
	return standardStreams{taken[0], taken[1]}, err
}

// pairs is a listener of connections that this process makes itself, as pairs
// of sockets: nothing else in the container can connect.
type pairs struct {
	conns chan net.Conn
	done  chan struct{}
	once  sync.Once
}

func newPairs() *pairs {
	return &pairs{conns: make(chan net.Conn), done: make(chan struct{})}
}

// connect makes a connection to the one who accepts.
func (p *pairs) connect() (net.Conn, error) {
	fds, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, 0)
	if err != nil {
		return nil, os.NewSyscallError("socketpair", err)
	}
	ours, err := connOf(fds[0])
	if err != nil {
		syscall.Close(fds[1]) //nolint:errcheck // the first error is the one to tell
		return nil, err
	}
	theirs, err := connOf(fds[1])
	if err != nil {
		ours.Close()
		return nil, err
	}
	select {
	case p.conns <- theirs:
		return ours, nil
	case <-p.done:
		ours.Close()
		theirs.Close()
		return nil, net.ErrClosed
	}
}

func connOf(fd int) (net.Conn, error) {
	f := os.NewFile(uintptr(fd), "pair")
	defer f.Close()
	return net.FileConn(f)
}

func (p *pairs) Accept() (net.Conn, error) {
	select {
	case conn := <-p.conns:
		return conn, nil
	case <-p.done:
		return nil, net.ErrClosed
	}
}

func (p *pairs) Close() error {
	p.once.Do(func() { close(p.done) })
	return nil
}

func (p *pairs) Addr() net.Addr { return &net.UnixAddr{Name: "agent", Net: "unix"} }
