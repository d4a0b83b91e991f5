package replay

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"slices"
	"strconv"
	"sync"
)

// Answer is what the server under test said to one request.
type Answer struct {
	Status int
	Header http.Header

	mu   sync.Mutex
	body bytes.Buffer
	grew chan struct{} // closed and renewed at each growth
	done chan struct{}
	err  error // set before done is closed
}

// Body is what has arrived up to now, without chunking.
func (a *Answer) Body() []byte {
	a.mu.Lock()
	defer a.mu.Unlock()
	return bytes.Clone(a.body.Bytes())
}

func (a *Answer) ended() bool {
	select {
	case <-a.done:
		return true
	default:
		return false
	}
}

// wait returns when ready says so of what has arrived, or the answer ended.
func (a *Answer) wait(ctx context.Context, ready func(body []byte) bool) error {
	for {
		a.mu.Lock()
		now, grew := ready(a.body.Bytes()), a.grew
		a.mu.Unlock()
		if now {
			return nil
		}
		select {
		case <-grew:
		case <-a.done:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// end waits for the end of the answer.
func (a *Answer) end(ctx context.Context) error {
	select {
	case <-a.done:
		return a.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// send writes req on a connection of its own, with exactly its headers, and
// returns once the head of the answer is there. The body arrives in the
// background until it ends or ctx does.
func send(ctx context.Context, dial func(context.Context) (net.Conn, error), req *Request) (*Answer, error) {
	conn, err := dial(ctx)
	if err != nil {
		return nil, fmt.Errorf("dial: %w", err)
	}
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	a, err := exchange(conn, req, func() {
		stop()
		_ = conn.Close()
	})
	if err != nil {
		stop()
		_ = conn.Close()
	}
	return a, err
}

func exchange(conn net.Conn, req *Request, finish func()) (*Answer, error) {
	if _, err := conn.Write(wire(req)); err != nil {
		return nil, fmt.Errorf("write request: %w", err)
	}
	res, err := http.ReadResponse(bufio.NewReader(conn), &http.Request{Method: req.Method})
	if err != nil {
		return nil, fmt.Errorf("read response: %w", err)
	}
	a := &Answer{Status: res.StatusCode, Header: res.Header, grew: make(chan struct{}), done: make(chan struct{})}
	go func() {
		defer finish()
		a.receive(res.Body)
	}()
	return a, nil
}

func (a *Answer) receive(body io.Reader) {
	defer close(a.done)
	buf := make([]byte, 32<<10)
	for {
		n, err := body.Read(buf)
		a.mu.Lock()
		a.body.Write(buf[:n])
		close(a.grew)
		a.grew = make(chan struct{})
		a.mu.Unlock()
		if err != nil {
			if !errors.Is(err, io.EOF) {
				a.err = fmt.Errorf("read body: %w", err)
			}
			return
		}
	}
}

// wire is the request as it was recorded: HTTP/1.1, one connection for each.
func wire(req *Request) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n", req.Method, req.Path)
	for _, name := range slices.Sorted(maps.Keys(req.Headers)) {
		fmt.Fprintf(&b, "%s: %s\r\n", name, req.Headers[name])
	}
	if len(req.Body) > 0 || req.Method == http.MethodPost {
		b.WriteString("Content-Length: " + strconv.Itoa(len(req.Body)) + "\r\n")
	}
	b.WriteString("\r\n")
	b.Write(req.Body)
	return b.Bytes()
}
