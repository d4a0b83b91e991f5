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

func terminal(script string) *wire.StartRequest {
	return &wire.StartRequest{
		Process: &wire.ProcessConfig{Cmd: "/bin/sh", Args: []string{"-c", script}},
		Pty:     &wire.PTY{Size: &wire.PTY_Size{Cols: 90, Rows: 30}},
	}
}

func TestTerminalIsTheControllingOne(t *testing.T) {
	t.Parallel()
	b := newBench(t, process.Options{})
	o := b.run(terminal("stty size; test -t 0 && test -t 1 && test -t 2 && echo all; : < /dev/tty && echo controlling; exit 4"))
	if got := o.pty.String(); got != "30 90\r\nall\r\ncontrolling\r\n" {
		t.Errorf("output %q", got)
	}
	if o.end.GetExitCode() != 4 || o.stdout.Len()+o.stderr.Len() != 0 || o.err != nil {
		t.Errorf("end %v, %d bytes beside the terminal, error %v", o.end, o.stdout.Len()+o.stderr.Len(), o.err)
	}
}

func TestInterruptKeyReachesTheProgram(t *testing.T) {
	t.Parallel()
	b := newBench(t, process.Options{})
	s, pid := b.start(b.ctx, terminal("trap 'echo interrupted; exit 3' INT; echo up; while :; do sleep 0.02; done"))
	if !s.Receive() || !strings.Contains(string(s.Msg().GetEvent().GetData().GetPty()), "up") {
		t.Fatalf("no output: %v", s.Err())
	}
	key := &wire.ProcessInput{Input: &wire.ProcessInput_Pty{Pty: []byte{3}}}
	if _, err := b.SendInput(b.ctx, &wire.SendInputRequest{Process: byPID(pid), Input: key}); err != nil {
		t.Fatal(err)
	}
	if o := collect(s); !strings.Contains(o.pty.String(), "interrupted") || o.end.GetExitCode() != 3 {
		t.Errorf("output %q, end %v", &o.pty, o.end)
	}
}

func TestDeadlineEndsATerminalThatDescendantsHold(t *testing.T) {
	t.Parallel()
	b := newBench(t, process.Options{})
	ctx, cancel := context.WithTimeout(b.ctx, 300*time.Millisecond)
	defer cancel()
	// The child is a session of its own, so the end of the shell does not end it.
	_, pid := b.start(ctx, terminal("setsid sh -c 'trap \"\" HUP; exec sleep 30' & wait"))
	eventually(t, "process leaves the list", func() bool {
		_, err := b.SendSignal(b.ctx, &wire.SendSignalRequest{Process: byPID(pid), Signal: wire.Signal_SIGNAL_SIGTERM})
		return connect.CodeOf(err) == connect.CodeNotFound
	})
}

func TestResizeIsSignalled(t *testing.T) {
	t.Parallel()
	b := newBench(t, process.Options{})
	s, pid := b.start(b.ctx, terminal("trap 'stty size; exit' WINCH; echo up; while :; do sleep 0.02; done"))
	if !s.Receive() {
		t.Fatal(s.Err())
	}
	size := &wire.PTY{Size: &wire.PTY_Size{Cols: 132, Rows: 50}}
	if _, err := b.Update(b.ctx, &wire.UpdateRequest{Process: byPID(pid), Pty: size}); err != nil {
		t.Fatal(err)
	}
	if o := collect(s); !strings.Contains(o.pty.String(), "50 132") {
		t.Errorf("output %q", &o.pty)
	}
}

func TestResizeWithoutTerminal(t *testing.T) {
	t.Parallel()
	b := newBench(t, process.Options{})
	_, pid := b.start(b.ctx, sh("exec sleep 60"))
	_, err := b.Update(b.ctx, &wire.UpdateRequest{Process: byPID(pid), Pty: &wire.PTY{Size: &wire.PTY_Size{Cols: 1, Rows: 1}}})
	codeIs(t, err, connect.CodeInternal)
	if _, err := b.Update(b.ctx, &wire.UpdateRequest{Process: byPID(pid)}); err != nil {
		t.Errorf("update of nothing: %v", err)
	}
	_, err = b.Update(b.ctx, &wire.UpdateRequest{Process: byPID(4_000_000)})
	codeIs(t, err, connect.CodeNotFound)
}

func TestLargeTerminalOutputIsWhole(t *testing.T) {
	t.Parallel()
	b := newBench(t, process.Options{})
	o := b.run(terminal("head -c 300000 /dev/zero | tr '\\0' x"))
	if o.pty.Len() != 300000 || o.afterEnd || o.err != nil {
		t.Errorf("%d bytes, output after the end: %v, error %v", o.pty.Len(), o.afterEnd, o.err)
	}
}
