package fctest

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"
)

// Server is a running emulator.
type Server struct {
	URL string // of the management APIs, for example http://127.0.0.1:40123

	options  Options
	listener net.Listener
	http     *http.Server
	served   chan error
	nonces   nonces
	faults   faults
	log      requestLog

	mu        sync.Mutex // guards what follows, and everything reachable from it
	functions map[string]*function
	domains   map[string]document
	cnames    map[string]string
	services  map[string]*service // FC 2.0
}

// NewServer starts an emulator, as httptest.NewServer would: it panics when it
// cannot listen. Close ends it and every process it started.
func NewServer(opts *Options) *Server {
	s, err := Start(opts)
	if err != nil {
		panic(fmt.Sprintf("fctest: %v", err))
	}
	return s
}

// Start starts an emulator.
func Start(opts *Options) (*Server, error) {
	s := &Server{
		options: opts.withDefaults(), functions: map[string]*function{}, domains: map[string]document{},
		cnames: map[string]string{}, services: map[string]*service{}, served: make(chan error, 1),
	}
	listener, err := net.Listen("tcp", s.options.Addr)
	if err != nil {
		return nil, fmt.Errorf("listen: %w", err)
	}
	s.listener, s.URL = listener, "http://"+listener.Addr().String()
	s.http = &http.Server{Handler: s.handler(), ReadHeaderTimeout: 10 * time.Second}
	go func() { s.served <- s.http.Serve(listener) }()
	return s, nil
}

// Close stops the emulator, its triggers and its instances, and waits for them.
func (s *Server) Close() error {
	err := s.http.Close()
	if served := <-s.served; !errors.Is(served, http.ErrServerClosed) {
		err = errors.Join(err, served)
	}
	s.mu.Lock()
	functions := s.functions
	s.functions = map[string]*function{}
	s.mu.Unlock()
	for _, f := range functions {
		f.close()
	}
	return err
}

// Endpoint is URL without its scheme, as SDKs want it.
func (s *Server) Endpoint() string { return s.listener.Addr().String() }

// SetCNAME points a host name somewhere; FC accepts a custom domain only when
// it points to [Server.CNAMETarget].
func (s *Server) SetCNAME(domain, target string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cnames[domain] = target
}

// CNAMETarget is the host name that the custom domains of the account point to.
func (s *Server) CNAMETarget() string {
	return s.options.AccountID + "." + s.options.Region + ".fc.aliyuncs.com"
}

// Functions lists the names of all functions, those of FC 2.0 as
// service/function.
func (s *Server) Functions() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	names := sortedKeys(s.functions)
	for _, name := range sortedKeys(s.services) {
		for _, fn := range sortedKeys(s.services[name].functions) {
			names = append(names, name+"/"+fn)
		}
	}
	return names
}

// Empty says whether nothing is left: no function, trigger, domain or service.
func (s *Server) Empty() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.functions)+len(s.domains)+len(s.services) == 0
}
