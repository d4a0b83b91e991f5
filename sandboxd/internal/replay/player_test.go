package replay

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// parrot is a server that answers with what was recorded, or with what change
// makes of it.
func parrot(t *testing.T, captures []*Capture, change func(*Capture, []byte) []byte) *Player {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for _, c := range captures { // the units are played in this order
			conn, err := l.Accept()
			if err != nil {
				return
			}
			answer(conn, c, change)
		}
	}()
	return &Player{
		Place: &Place{Root: t.TempDir(), UID: -1},
		Dial: func(ctx context.Context) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, "tcp", l.Addr().String())
		},
	}
}

func answer(conn net.Conn, c *Capture, change func(*Capture, []byte) []byte) {
	defer conn.Close()
	if req, err := http.ReadRequest(bufio.NewReader(conn)); err == nil {
		_, _ = bufio.NewReader(req.Body).WriteTo(discard{})
	}
	var head strings.Builder
	fmt.Fprintf(&head, "HTTP/1.1 %d x\r\n", c.Response.Status)
	for name, v := range c.Response.Headers {
		if name != "Content-Length" {
			fmt.Fprintf(&head, "%s: %s\r\n", name, v)
		}
	}
	_, _ = conn.Write(append([]byte(head.String()+"Connection: close\r\n\r\n"), change(c, c.Response.Body)...))
}

type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }

func asRecorded(_ *Capture, body []byte) []byte { return body }

// singles are captures that need no other one before them.
func singles(t *testing.T) []*Capture {
	t.Helper()
	all, err := Load("../../agent/testdata/envd")
	if err != nil {
		t.Fatal(err)
	}
	var list []*Capture
	for _, c := range all {
		if c.Group == "" && !strings.HasSuffix(c.Name, "-proto") && !strings.Contains(c.Name, "-proto-") {
			list = append(list, c)
		}
	}
	return list
}

func TestRecordedAnswersAreTheRecordedOnes(t *testing.T) {
	t.Parallel()
	captures := singles(t)
	player := parrot(t, captures, asRecorded)
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	for _, c := range captures {
		c.Setup = nil
		results, err := player.Play(ctx, &Unit{Name: c.Name, Steps: []*Capture{c}})
		if err != nil {
			t.Fatal(err)
		}
		for _, diff := range Compare(c, results[0].Answer) {
			t.Error(diff)
		}
	}
	if len(captures) < 150 {
		t.Errorf("only %d captures were played", len(captures))
	}
}

func TestOtherAnswersAreFound(t *testing.T) {
	t.Parallel()
	var captures []*Capture
	for _, c := range singles(t) {
		if len(c.Response.Body) > 20 && c.Response.Headers["Content-Encoding"] == "" && !c.loose("chunking") && c.Name != "metrics" {
			captures = append(captures, c)
		}
	}
	player := parrot(t, captures, func(_ *Capture, body []byte) []byte { return body[:len(body)/2] })
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	for _, c := range captures {
		c.Setup = nil
		results, err := player.Play(ctx, &Unit{Name: c.Name, Steps: []*Capture{c}})
		if err == nil && len(Compare(c, results[0].Answer)) == 0 {
			t.Errorf("%s: half an answer passes for the whole", c.Name)
		}
	}
}

func TestIdsOfThisRunReplaceRecordedOnes(t *testing.T) {
	t.Parallel()
	g := &game{learned: map[string]any{key(100.0): 4242.0, key("w123"): "wabc", key("ctx"): "new"}}
	c := &Capture{
		Request:         Request{Path: "/contexts/ctx/restart", Headers: map[string]string{"Content-Type": "application/connect+json"}},
		RequestDecoded:  []any{map[string]any{"start": map[string]any{"pid": 100.0}}, map[string]any{"id": "w123"}},
		VolatileRequest: []string{"/request_decoded/0/start/pid", "/request_decoded/1/id", "/request/path", "/request/body_base64"},
	}
	req, err := g.request(c)
	if err != nil {
		t.Fatal(err)
	}
	list := envelopes(req.Body)
	if len(list) != 2 || string(list[0].payload) != `{"start":{"pid":4242}}` || string(list[1].payload) != `{"id":"wabc"}` || req.Path != "/contexts/new/restart" {
		t.Errorf("%s %q", req.Path, req.Body)
	}
	if c.RequestDecoded.([]any)[1].(map[string]any)["id"] != "w123" {
		t.Error("the recording was changed")
	}
}

func TestPaceFollowsTheRecording(t *testing.T) {
	t.Parallel()
	all, err := Load("../../agent/testdata/envd")
	if err != nil {
		t.Fatal(err)
	}
	for _, u := range Units(all) {
		var want []string
		switch u.Name {
		case "process-pty": // before each step: prompt, prompt, prompt again, …
			want = []string{"2 false", "22 false", "22 false", "43 false", "43 false", "43 false"}
		case "process-connect":
			want = []string{"4 false", "4 false", "14 true"}
		case "process-stdin":
			want = []string{"0 false", "6 false", "9 false", "9 false", "9 false", "9 true"}
		default:
			continue
		}
		for i := range want {
			output, end := u.pace(i + 1)
			if got := fmt.Sprint(output, end); got != want[i] {
				t.Errorf("%s before step %d: %s, want %s", u.Name, i+2, got, want[i])
			}
		}
	}
}
