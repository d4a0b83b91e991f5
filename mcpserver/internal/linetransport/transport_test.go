package linetransport_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/agentsandbox/agent-sandbox/mcpserver/internal/linetransport"
)

// answer connects a transport whose input is the given text, answers every call
// with an empty result, and returns the output lines.
func answer(t *testing.T, transport *linetransport.Transport) []string {
	t.Helper()
	r, w := io.Pipe()
	transport.Out = w
	lines := make(chan []string)
	go func() {
		var got []string
		for s := bufio.NewScanner(r); s.Scan(); {
			got = append(got, s.Text())
		}
		lines <- got
	}()
	conn := connect(t, transport)
	for {
		msg, err := conn.Read(t.Context())
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		reply(t, conn, msg)
	}
	_ = w.Close()
	return <-lines
}

func connect(t *testing.T, transport *linetransport.Transport) mcp.Connection {
	t.Helper()
	conn, err := transport.Connect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return conn
}

func reply(t *testing.T, conn mcp.Connection, msg jsonrpc.Message) {
	t.Helper()
	req, ok := msg.(*jsonrpc.Request)
	if !ok || !req.IsCall() {
		return
	}
	if err := conn.Write(t.Context(), &jsonrpc.Response{ID: req.ID, Result: json.RawMessage(`{}`)}); err != nil {
		t.Error(err)
	}
}

const ping = `{"jsonrpc":"2.0","id":7,"method":"ping"}`

// Each unusable line gets one error reply with the code and id that JSON-RPC
// asks for, and the call behind it is answered.
func TestAnUnusableLineIsAnsweredAndTheSessionGoesOn(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		line string
		id   string
		code int
		says string
	}{
		"garbage":             {"hello", "null", -32700, "not valid JSON"},
		"cut JSON":            {`{"jsonrpc":"2.0","id":1`, "null", -32700, "not valid JSON"},
		"byte order mark":     {"\ufeff" + ping, "null", -32700, "byte order mark"},
		"invalid UTF-8":       {"{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"\xff\"}", "3", -32700, "UTF-8"},
		"batch":               {"[" + ping + "]", "null", -32600, "batches"},
		"version 1.0":         {`{"jsonrpc":"1.0","id":"a","method":"ping"}`, `"a"`, -32600, "2.0"},
		"no method":           {`{"jsonrpc":"2.0"}`, "null", -32600, "not a JSON-RPC"},
		"not an object":       {`17`, "null", -32600, "not a JSON-RPC"},
		"method no string":    {`{"jsonrpc":"2.0","id":4,"method":5}`, "4", -32600, "not a JSON-RPC"},
		"id is an object":     {`{"jsonrpc":"2.0","id":{},"method":"ping"}`, "null", -32600, ""},
		"id has a fraction":   {`{"jsonrpc":"2.0","id":1.5,"method":"ping"}`, "null", -32600, "whole number"},
		"id beyond 2^53":      {`{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}`, "null", -32600, "2^53"},
		"longer than the cap": {`{"jsonrpc":"2.0","id":1,"method":"` + strings.Repeat("x", 300) + `"}`, "null", -32600, "longer than 200 bytes"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := answer(t, &linetransport.Transport{
				In: strings.NewReader(c.line + "\n" + ping + "\n"), MaxLine: 200, Grace: time.Minute,
			})
			if len(got) != 2 {
				t.Fatalf("%d lines, want an error and a reply: %q", len(got), got)
			}
			checkError(t, got[0], c.id, c.code, c.says)
			if got[1] != `{"jsonrpc":"2.0","id":7,"result":{}}` {
				t.Errorf("the call behind it got %s", got[1])
			}
		})
	}
}

func checkError(t *testing.T, text, id string, code int, says string) {
	t.Helper()
	var reply struct {
		ID    json.RawMessage
		Error struct {
			Code    int
			Message string
		}
	}
	if err := json.Unmarshal([]byte(text), &reply); err != nil {
		t.Fatal(err)
	}
	if string(reply.ID) != id || reply.Error.Code != code || !strings.Contains(reply.Error.Message, says) {
		t.Errorf("got %s; want id %s, code %d, %q", text, id, code, says)
	}
}

func TestLineEndsAndBlankLines(t *testing.T) {
	t.Parallel()
	in := "\r\n\n" + ping + "\r\n   \n" + ping // the last line has no end
	got := answer(t, &linetransport.Transport{In: strings.NewReader(in), Grace: time.Minute})
	if len(got) != 2 {
		t.Errorf("got %q, want two replies", got)
	}
}

func TestALineOfExactlyTheCapIsAccepted(t *testing.T) {
	t.Parallel()
	for _, end := range []string{"\n", "\r\n", ""} {
		got := answer(t, &linetransport.Transport{In: strings.NewReader(ping + end), MaxLine: len(ping), Grace: time.Minute})
		if len(got) != 1 || strings.Contains(got[0], "error") {
			t.Errorf("end %q: %q", end, got)
		}
	}
}

// The end of input waits for the replies that are owed.
func TestEndOfInputWaitsForReplies(t *testing.T) {
	t.Parallel()
	conn := connect(t, &linetransport.Transport{In: strings.NewReader(ping + "\n"), Out: io.Discard, Grace: time.Minute})
	call, err := conn.Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error)
	go func() {
		_, err := conn.Read(t.Context())
		ended <- err
	}()
	select {
	case err := <-ended:
		t.Fatalf("end of input came before the reply: %v", err)
	case <-time.After(50 * time.Millisecond):
	}
	reply(t, conn, call)
	if err := <-ended; !errors.Is(err, io.EOF) {
		t.Errorf("got %v, want EOF", err)
	}
}

// A call that outlasts the grace is hurried and its late reply still counts.
func TestEndOfInputHurriesLongCalls(t *testing.T) {
	t.Parallel()
	hurried := make(chan struct{})
	conn := connect(t, &linetransport.Transport{
		In: strings.NewReader(ping + "\n"), Out: io.Discard,
		Grace: time.Millisecond, Hurry: func() { close(hurried) },
	})
	call, err := conn.Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		<-hurried
		reply(t, conn, call)
	}()
	if _, err := conn.Read(t.Context()); !errors.Is(err, io.EOF) {
		t.Errorf("got %v, want EOF", err)
	}
}

// Ending the transport from our side hurries the calls at once.
func TestEndHurriesAtOnce(t *testing.T) {
	t.Parallel()
	in, _ := io.Pipe()
	end, hurried := make(chan struct{}), make(chan struct{})
	conn := connect(t, &linetransport.Transport{
		In: io.MultiReader(strings.NewReader(ping+"\n"), in), Out: io.Discard,
		Grace: time.Hour, Hurry: func() { close(hurried) }, End: end,
	})
	call, err := conn.Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	close(end)
	go func() {
		<-hurried
		reply(t, conn, call)
	}()
	if _, err := conn.Read(t.Context()); !errors.Is(err, io.EOF) {
		t.Errorf("got %v, want EOF", err)
	}
}

type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

func TestAReaderThatWentAwayEndsTheConnection(t *testing.T) {
	t.Parallel()
	in, _ := io.Pipe() // never ends
	conn := connect(t, &linetransport.Transport{In: in, Out: brokenPipe{}})
	if err := conn.Write(t.Context(), &jsonrpc.Response{}); err == nil {
		t.Error("a failed write went unreported")
	}
	if _, err := conn.Read(t.Context()); !errors.Is(err, io.EOF) {
		t.Errorf("got %v, want EOF", err)
	}
}

func TestReadEndsWithItsContext(t *testing.T) {
	t.Parallel()
	in, _ := io.Pipe()
	conn := connect(t, &linetransport.Transport{In: in, Out: io.Discard})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := conn.Read(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want Canceled", err)
	}
}

// Whatever comes in, every output line is one JSON object, and a call behind it
// is answered.
func FuzzLines(f *testing.F) {
	for _, seed := range []string{ping, "[]", "{", "\x00", `{"jsonrpc":"2.0","id":null,"method":"x"}`, `{"jsonrpc":"2.0","id":1}`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := answer(t, &linetransport.Transport{In: strings.NewReader(text + "\n" + ping + "\n"), Grace: time.Minute})
		for _, l := range got {
			if !json.Valid([]byte(l)) {
				t.Fatal(fmt.Errorf("output %q", l))
			}
		}
		if len(got) == 0 || got[len(got)-1] != `{"jsonrpc":"2.0","id":7,"result":{}}` {
			t.Errorf("input %q left the call behind it unanswered: %q", text, got)
		}
	})
}
