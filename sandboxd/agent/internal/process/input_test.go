package process_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"connectrpc.com/connect"

	wire "github.com/agentsandbox/agent-sandbox/sandboxclient/envd/process"
	"github.com/agentsandbox/agent-sandbox/sandboxd/agent/internal/process"
)

func cat() *wire.StartRequest {
	return &wire.StartRequest{Process: &wire.ProcessConfig{Cmd: "/bin/cat"}}
}

func TestInputArrivesInOrder(t *testing.T) {
	t.Parallel()
	b := newBench(t, process.Options{})
	s, pid := b.start(b.ctx, cat())
	out := make(chan *outcome, 1)
	go func() { out <- collect(s) }()
	var want strings.Builder
	for _, text := range []string{"one\n", strings.Repeat("x", 200_000), "\x00\xff", "end\n"} {
		want.WriteString(text)
		if _, err := b.SendInput(b.ctx, &wire.SendInputRequest{Process: byPID(pid), Input: stdin(text)}); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 { // closing twice is no error
		if _, err := b.CloseStdin(b.ctx, &wire.CloseStdinRequest{Process: byPID(pid)}); err != nil && connect.CodeOf(err) != connect.CodeNotFound {
			t.Fatal(err)
		}
	}
	if o := <-out; o.stdout.String() != want.String() {
		t.Errorf("%d bytes came back, want %d", o.stdout.Len(), want.Len())
	}
}

func TestInputToAProcessThatDoesNotReadWaitsForTheDeadline(t *testing.T) {
	t.Parallel()
	b := newBench(t, process.Options{})
	req := sh("sleep 1; wc -c")
	on := true
	req.Stdin = &on
	s, pid := b.start(b.ctx, req)
	ctx, cancel := context.WithTimeout(b.ctx, 200*time.Millisecond)
	defer cancel()
	_, err := b.SendInput(ctx, &wire.SendInputRequest{Process: byPID(pid), Input: stdin(strings.Repeat("x", 1<<20))})
	codeIs(t, err, connect.CodeDeadlineExceeded)
	// The pipe works on for the next call.
	eventually(t, "input is taken again", func() bool {
		_, err := b.SendInput(b.ctx, &wire.SendInputRequest{Process: byPID(pid), Input: stdin("y")})
		return err == nil
	})
	if _, err := b.CloseStdin(b.ctx, &wire.CloseStdinRequest{Process: byPID(pid)}); err != nil {
		t.Fatal(err)
	}
	if o := collect(s); o.end.GetExitCode() != 0 || !o.end.GetExited() {
		t.Errorf("end %v, error %v", o.end, o.err)
	}
}

func TestStreamInput(t *testing.T) {
	t.Parallel()
	b := newBench(t, process.Options{})
	s, pid := b.start(b.ctx, cat())
	out := make(chan *outcome, 1)
	go func() { out <- collect(s) }()
	in, err := b.StreamInput(b.ctx)
	if err != nil {
		t.Fatal(err)
	}
	for _, msg := range []*wire.StreamInputRequest{
		{Event: &wire.StreamInputRequest_Start{Start: &wire.StreamInputRequest_StartEvent{Process: byPID(pid)}}},
		{Event: &wire.StreamInputRequest_Data{Data: &wire.StreamInputRequest_DataEvent{Input: stdin("a")}}},
		{Event: &wire.StreamInputRequest_Keepalive{Keepalive: &wire.StreamInputRequest_KeepAlive{}}},
		{Event: &wire.StreamInputRequest_Data{Data: &wire.StreamInputRequest_DataEvent{Input: stdin("b")}}},
	} {
		if err := in.Send(msg); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := in.CloseAndReceive(); err != nil {
		t.Fatal(err)
	}
	if _, err := b.CloseStdin(b.ctx, &wire.CloseStdinRequest{Process: byPID(pid)}); err != nil {
		t.Fatal(err)
	}
	if o := <-out; o.stdout.String() != "ab" {
		t.Errorf("output %q, want ab", &o.stdout)
	}
}

func TestStreamInputNeedsStartFirst(t *testing.T) {
	t.Parallel()
	b := newBench(t, process.Options{})
	in, err := b.StreamInput(b.ctx)
	if err != nil {
		t.Fatal(err)
	}
	_ = in.Send(&wire.StreamInputRequest{Event: &wire.StreamInputRequest_Data{Data: &wire.StreamInputRequest_DataEvent{Input: stdin("a")}}})
	_, err = in.CloseAndReceive()
	codeIs(t, err, connect.CodeInvalidArgument)
}
