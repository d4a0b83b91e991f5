package tunnel

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"sync"
)

// Dialer makes the connections for the listener inside, Acceptor takes those
// that want to go outside.
type (
	Dialer   func() (net.Conn, error)
	Acceptor func() (net.Conn, error)
)

// ServeInside serves the inner end on the stream until it ends. Each
// connection of the host is joined to one that in makes; each connection that
// out takes is joined to one that the host accepts.
func ServeInside(stream io.ReadWriteCloser, in Dialer, out Acceptor) error {
	mux := http.NewServeMux()
	mux.HandleFunc("POST "+pathIn, func(w http.ResponseWriter, r *http.Request) { join(w, r, in) })
	mux.HandleFunc("POST "+pathOut, func(w http.ResponseWriter, r *http.Request) { join(w, r, out) })
	server := &http.Server{Handler: mux, Protocols: protocols(), HTTP2: settings()}
	l := newSingle(stream)
	defer server.Close()
	if err := server.Serve(l); !errors.Is(err, net.ErrClosed) {
		return err
	}
	return nil
}

func join(w http.ResponseWriter, r *http.Request, connect func() (net.Conn, error)) {
	conn, err := connect()
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	defer conn.Close()
	stop := context.AfterFunc(r.Context(), func() { conn.Close() })
	defer stop()
	w.WriteHeader(http.StatusOK)
	flush := http.NewResponseController(w)
	if err := flush.Flush(); err != nil {
		return
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		io.Copy(conn, r.Body) //nolint:errcheck // an end is an end
		if half, ok := conn.(interface{ CloseWrite() error }); ok {
			half.CloseWrite() //nolint:errcheck // as above
		}
	}()
	io.Copy(flushing{w, flush}, conn) //nolint:errcheck // as above
	conn.Close()
	<-done
}

// flushing sends what is written at once.
type flushing struct {
	io.Writer
	controller *http.ResponseController
}

func (f flushing) Write(p []byte) (int, error) {
	n, err := f.Writer.Write(p)
	if err == nil {
		err = f.controller.Flush()
	}
	return n, err
}

// single is a listener of one connection; it ends with that.
type single struct {
	conns chan net.Conn
	done  chan struct{}
	once  sync.Once
}

func newSingle(stream io.ReadWriteCloser) *single {
	s := &single{conns: make(chan net.Conn, 1), done: make(chan struct{})}
	s.conns <- &endingConn{streamConn: streamConn{ReadWriteCloser: stream}, ended: s.Close}
	return s
}

func (s *single) Accept() (net.Conn, error) {
	select {
	case conn := <-s.conns:
		return conn, nil
	case <-s.done:
		return nil, net.ErrClosed
	}
}

func (s *single) Close() error {
	s.once.Do(func() { close(s.done) })
	return nil
}

func (s *single) Addr() net.Addr { return address{} }

// endingConn ends its listener when it is closed.
type endingConn struct {
	streamConn
	ended func() error
}

func (c *endingConn) Close() error {
	return errors.Join(c.streamConn.Close(), c.ended())
}
