package harness

import (
	"context"
	"os/exec"
	"syscall"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// exitLimit is how long abx may take to end after its input did.
const exitLimit = 20 * time.Second

// Server is a running `abx mcp start` and a client connected to it.
type Server struct {
	*Session

	cmd *exec.Cmd
}

// Command makes a command that runs abx with an environment that holds nothing
// of the tester's own: an empty home, and no setting of abx.
func Command(t testing.TB, args ...string) *exec.Cmd {
	t.Helper()
	binary, err := Binary()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(binary, args...)
	cmd.Env = []string{"HOME=" + t.TempDir(), "PATH=/usr/local/bin:/usr/bin:/bin", "TMPDIR=" + t.TempDir()}
	return cmd
}

// StartStdio starts abx with the arguments and connects over its standard
// streams. The test ends it with Stop.
func StartStdio(ctx context.Context, t testing.TB, cmd *exec.Cmd) *Server {
	t.Helper()
	s := &Server{Session: &Session{t: t, Stderr: &Log{}}, cmd: cmd}
	cmd.Stderr = s.Stderr
	session, err := connectStdio(ctx, cmd)
	if err != nil {
		t.Fatalf("connect to abx: %v\n%s", err, s.Stderr)
	}
	s.ClientSession = session
	t.Cleanup(func() { _ = session.Close() })
	return s
}

func connectStdio(ctx context.Context, cmd *exec.Cmd) (*mcp.ClientSession, error) {
	mark(cmd)
	starting.RLock()
	defer starting.RUnlock()
	return newClient().Connect(ctx, &mcp.CommandTransport{Command: cmd, TerminateDuration: exitLimit}, nil)
}

func newClient() *mcp.Client {
	return mcp.NewClient(&mcp.Implementation{Name: "e2e", Version: "1"}, nil)
}

// PID is the process id of abx.
func (s *Server) PID() int { return s.cmd.Process.Pid }

// Stop closes abx's input and waits for its end, which must be a good one.
func (s *Server) Stop() {
	s.t.Helper()
	if err := s.Close(); err != nil {
		s.t.Errorf("abx ended with %v\n%s", err, s.Stderr)
	}
}

// Signal sends abx a signal.
func (s *Server) Signal(sig syscall.Signal) {
	s.t.Helper()
	if err := s.cmd.Process.Signal(sig); err != nil {
		s.t.Fatal(err)
	}
}
