package dataplane_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/dataplane"
	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/lifecycle"
)

// endless sends one line and then nothing; left says when its client left.
func endless(left chan<- struct{}) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, "first\n")
		http.NewResponseController(w).Flush()
		<-r.Context().Done()
		left <- struct{}{}
	}
}

// open starts a stream and reads its first line, which must come while the
// stream goes on.
func (w *world) open(t *testing.T, ctx context.Context) *http.Response {
	t.Helper()
	res, err := w.client.Do(w.request(t, "POST", "/stream", 49983, nil).WithContext(ctx))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { res.Body.Close() })
	line := make([]byte, len("first\n"))
	if _, err := io.ReadFull(res.Body, line); err != nil || string(line) != "first\n" {
		t.Fatalf("read %q, %v", line, err)
	}
	return res
}

func await(t *testing.T, what string, c <-chan struct{}) {
	t.Helper()
	select {
	case <-c:
	case <-time.After(10 * time.Second):
		t.Fatalf("waited 10 s for %s", what)
	}
}

func TestTheAgentSeesTheClientLeave(t *testing.T) {
	t.Parallel()
	left := make(chan struct{}, 1)
	w := newWorld(t, dataplane.Config{}, lifecycle.Spec{}, endless(left))
	ctx, cancel := context.WithCancel(t.Context())
	w.open(t, ctx)
	cancel()
	await(t, "the agent to see it", left)
}

// A stream from a sandbox that is paused or killed is cut, not ended: the
// client must not take it for complete.
func TestStreamsAreCut(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(*world) error{
		"killed":  func(w *world) error { return w.Kill(context.Background()) },
		"paused":  func(w *world) error { return w.Pause(context.Background()) },
		"expired": func(w *world) error { return w.SetTimeout(0) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, dataplane.Config{}, lifecycle.Spec{}, endless(make(chan struct{}, 1)))
			res := w.open(t, t.Context())
			if err := end(w); err != nil {
				t.Fatal(err)
			}
			read := make(chan error, 1)
			go func() {
				_, err := io.ReadAll(res.Body)
				read <- err
			}()
			select {
			case err := <-read:
				if err == nil {
					t.Error("the stream ended as if it were complete")
				}
			case <-time.After(10 * time.Second):
				t.Error("the stream goes on")
			}
		})
	}
}

// upgrade answers a request for another protocol and repeats each line.
func upgrade(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("Upgrade") != "websocket" {
		http.Error(w, "upgrade only", http.StatusBadRequest)
		return
	}
	conn, rw, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return
	}
	defer conn.Close()
	io.WriteString(conn, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\nwelcome\n")
	for {
		line, err := rw.ReadString('\n')
		if err != nil {
			return
		}
		io.WriteString(conn, "you said "+line)
	}
}

func TestUpgrade(t *testing.T) {
	t.Parallel()
	w := newWorld(t, dataplane.Config{}, lifecycle.Spec{}, echo)
	port := inside(t, upgrade)
	conn, err := net.Dial("tcp", w.url[len("http://"):])
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(10 * time.Second))
	fmt.Fprintf(conn, "GET /socket HTTP/1.1\r\nHost: %d-iabc.localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n", port)
	r := bufio.NewReader(conn)
	res, err := http.ReadResponse(r, nil)
	if err != nil || res.StatusCode != http.StatusSwitchingProtocols {
		t.Fatalf("answered %+v, %v", res, err)
	}
	welcome, err := r.ReadString('\n')
	if err != nil || welcome != "welcome\n" {
		t.Fatalf("welcomed with %q, %v", welcome, err)
	}
	for _, word := range []string{"one\n", "two\n"} {
		io.WriteString(conn, word)
		if got, err := r.ReadString('\n'); err != nil || got != "you said "+word {
			t.Errorf("got %q, %v", got, err)
		}
	}
	// Kill ends the connection.
	if err := w.Kill(t.Context()); err != nil {
		t.Fatal(err)
	}
	if rest, err := io.ReadAll(r); len(rest) > 0 || err != nil && !strings.Contains(err.Error(), "reset") {
		t.Errorf("after kill: %q, %v", rest, err)
	}
}
