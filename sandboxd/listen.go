package sandboxd

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/localtls"
	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/memnet"
)

// memoryServer is what HTTPClient talks to.
type memoryServer struct {
	listener *memnet.Listener
	client   *http.Client
}

// HTTPClient returns a client that reaches the server without any port: its
// connections stay in this process, whatever host a URL names. The host still
// says what is meant, as on a real network: any name is the control plane,
// <port>-<id>.<any domain> a sandbox.
func (s *Server) HTTPClient() *http.Client {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.memory == nil {
		s.memory = s.listenInMemory()
	}
	return s.memory.client
}

// listenInMemory starts serving; mu is held.
func (s *Server) listenInMemory() *memoryServer {
	l := memnet.Listen()
	transport := &http.Transport{
		DialContext: l.DialContext, DialTLSContext: l.DialContext,
		DisableCompression: true, MaxIdleConnsPerHost: 64, IdleConnTimeout: time.Minute,
		ReadBufferSize: 64 << 10, WriteBufferSize: 64 << 10,
	}
	if s.closed {
		_ = l.Close()
	} else {
		server := s.newHTTPServer()
		// It ends with Shutdown, which waits for it.
		go func() { _ = server.Serve(l) }()
	}
	return &memoryServer{listener: l, client: &http.Client{Transport: transport}}
}

// Serve answers clients of l, by HTTP/1.1 and by HTTP/2 without TLS, until
// Close or Shutdown; then it returns nil. Unless the options name a domain,
// create answers that sandboxes are under localhost and l's port from now on.
//
// Clients that speak TLS are served on the same port; see CACertificate.
func (s *Server) Serve(l net.Listener) error {
	server, err := s.startListening(l)
	if err != nil {
		_ = l.Close()
		return err
	}
	if err := server.Serve(localtls.Listen(l, s.authority.Config())); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve %s: %w", l.Addr(), err)
	}
	return nil
}

// CACertificate is the certificate, in PEM, of the authority that vouches for
// this server towards clients that use https. It is a new one for each Server.
// Older code interpreter SDKs know no other way to a sandbox's ports; they
// trust it by NODE_EXTRA_CA_CERTS or SSL_CERT_FILE.
func (s *Server) CACertificate() []byte { return s.authority.PEM() }

func (s *Server) startListening(l net.Listener) (*http.Server, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, http.ErrServerClosed
	}
	if addr, ok := l.Addr().(*net.TCPAddr); ok && s.settings.Domain == "" {
		s.domain = fmt.Sprintf("localhost:%d", addr.Port)
	}
	return s.newHTTPServer(), nil
}

// newHTTPServer makes a server that stopListening knows; mu is held. Nothing
// limits how long a request or an answer takes, for a stream lasts as long as
// its command.
func (s *Server) newHTTPServer() *http.Server {
	server := &http.Server{
		Handler: s, Protocols: new(http.Protocols), ReadHeaderTimeout: 10 * time.Second,
		ErrorLog: slog.NewLogLogger(s.settings.Logger.Handler(), slog.LevelDebug),
	}
	server.Protocols.SetHTTP1(true)
	server.Protocols.SetUnencryptedHTTP2(true)
	s.listening[server] = true
	return server
}

// stopListening marks the server closed and returns what still serves; first
// is false when that was done before.
func (s *Server) stopListening() (servers []*http.Server, first bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, false
	}
	s.closed = true
	for server := range s.listening {
		servers = append(servers, server)
	}
	return servers, true
}
