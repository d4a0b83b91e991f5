package harness

import (
	"context"
	"crypto/rand"
	"net/http"
	"os/exec"
	"regexp"
	"syscall"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// HTTPServer is a running `abx mcp start --transport http`.
type HTTPServer struct {
	URL    string
	Token  string // what its clients have to send
	Stderr *Log

	t    testing.TB
	cmd  *exec.Cmd
	done chan error
}

var servingAt = regexp.MustCompile(`serving MCP at (\S+)`)

// StartHTTP starts a server on a free port with a random token, and further
// environment. It ends with the test.
func StartHTTP(t testing.TB, env []string, args ...string) *HTTPServer {
	t.Helper()
	cmd := Command(t, append([]string{"mcp", "start", "--transport", "http", "--listen", "127.0.0.1:0"}, args...)...)
	s := &HTTPServer{t: t, cmd: cmd, Token: rand.Text(), Stderr: &Log{}, done: make(chan error, 1)}
	cmd.Env = append(append(cmd.Env, env...), "ABX_MCP_AUTH_TOKEN="+s.Token)
	s.start()
	s.URL = awaitMatch(t, s.Stderr, servingAt)
	return s
}

// StartProgram starts a program that serves HTTP as StartHTTP does; the caller
// knows its URL and token.
func StartProgram(t testing.TB, cmd *exec.Cmd, url, token string) *HTTPServer {
	t.Helper()
	s := &HTTPServer{t: t, cmd: cmd, URL: url, Token: token, Stderr: &Log{}, done: make(chan error, 1)}
	s.start()
	awaitMatch(t, s.Stderr, servingAt)
	return s
}

func (s *HTTPServer) start() {
	s.t.Helper()
	s.cmd.Stderr = s.Stderr
	if err := Start(s.cmd); err != nil {
		s.t.Fatal(err)
	}
	go func() { s.done <- s.cmd.Wait() }()
	s.t.Cleanup(func() {
		if s.t.Failed() {
			s.t.Logf("log of the server:\n%s", s.Stderr)
		}
		if s.cmd.Process.Signal(syscall.SIGKILL) == nil { // it was not stopped
			<-s.done
		}
	})
}

// awaitMatch waits for a line that a process prints when it is ready, and
// returns what the expression captures.
func awaitMatch(t testing.TB, log *Log, re *regexp.Regexp) string {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		if found := re.FindStringSubmatch(log.String()); found != nil {
			return found[1]
		}
	}
	t.Fatalf("it does not get ready:\n%s", log)
	return ""
}

// Stop asks the server to end and waits for it, which must be a good end.
func (s *HTTPServer) Stop() {
	s.t.Helper()
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		s.t.Fatal(err)
	}
	select {
	case err := <-s.done:
		if err != nil {
			s.t.Errorf("abx ended with %v\n%s", err, s.Stderr)
		}
	case <-time.After(exitLimit):
		s.t.Fatalf("%s after SIGTERM abx still runs\n%s", exitLimit, s.Stderr)
	}
}

// sessions is the newest revision of MCP in which a client has a session; in
// newer ones each call names its sandbox.
const sessions = "2025-11-25"

// Connect begins a session. It ends with the test, when it has not before.
func (s *HTTPServer) Connect(ctx context.Context) *Session {
	s.t.Helper()
	return s.ConnectAs(ctx, sessions)
}

// ConnectAs connects with a revision of MCP, "" for the newest.
func (s *HTTPServer) ConnectAs(ctx context.Context, revision string) *Session {
	s.t.Helper()
	session, err := s.Dial(ctx, revision, http.Header{"Authorization": {"Bearer " + s.Token}})
	if err != nil {
		s.t.Fatalf("connect to %s: %v\n%s", s.URL, err, s.Stderr)
	}
	s.t.Cleanup(func() { _ = session.Close() })
	return &Session{ClientSession: session, t: s.t, Stderr: s.Stderr}
}

// Session begins a session that the caller ends, or leaves.
func (s *HTTPServer) Session(ctx context.Context, token string) (*mcp.ClientSession, error) {
	return s.Dial(ctx, sessions, http.Header{"Authorization": {"Bearer " + token}})
}

// Dial connects with requests that carry headers.
func (s *HTTPServer) Dial(ctx context.Context, revision string, header http.Header) (*mcp.ClientSession, error) {
	return newClient().Connect(ctx, &mcp.StreamableClientTransport{
		Endpoint: s.URL, HTTPClient: &http.Client{Transport: withHeader(header)},
	}, &mcp.ClientSessionOptions{ProtocolVersion: revision})
}

// withHeader adds headers to every request.
type withHeader http.Header

// RoundTrip sends the request.
func (h withHeader) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	for name, values := range h {
		r.Header[name] = values
	}
	return http.DefaultTransport.RoundTrip(r)
}
