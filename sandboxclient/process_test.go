package sandboxclient_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/agentsandbox/agent-sandbox/sandboxclient"
)

// lines collects output and lets a test wait for a piece of it.
type lines struct {
	mu   sync.Mutex
	text bytes.Buffer
	more chan struct{}
}

func newLines() *lines { return &lines{more: make(chan struct{}, 1)} }

func (l *lines) add(p []byte) {
	l.mu.Lock()
	l.text.Write(p)
	l.mu.Unlock()
	select {
	case l.more <- struct{}{}:
	default:
	}
}

func (l *lines) await(t *testing.T, piece string) {
	t.Helper()
	deadline := time.After(20 * time.Second)
	for {
		l.mu.Lock()
		text := l.text.String()
		l.mu.Unlock()
		if strings.Contains(text, piece) {
			return
		}
		select {
		case <-l.more:
		case <-deadline:
			t.Fatalf("%q did not come; there is %q", piece, text)
		}
	}
}

func TestProcessReadsAndAnswers(t *testing.T) {
	t.Parallel()
	for _, version := range envds {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			out := newLines()
			p, err := newBackend(t, version).sandbox().Commands.Start(t.Context(), `while read x; do echo "got:$x"; done; exit 4`, &sandboxclient.StartOptions{Stdin: true, OnStdout: out.add})
			if err != nil {
				t.Fatal(err)
			}
			for _, word := range []string{"one", "two"} {
				if err := p.SendStdin(t.Context(), []byte(word+"\n")); err != nil {
					t.Fatal(err)
				}
				out.await(t, "got:"+word)
			}
			if err := p.CloseStdin(t.Context()); err != nil {
				t.Fatal(err)
			}
			got, err := p.Wait(t.Context())
			if err != nil || got.ExitCode != 4 || got.Stdout.String() != "got:one\ngot:two\n" {
				t.Errorf("got %+v, %v", got, err)
			}
		})
	}
}

// A signal reaches the command itself, not only the shell around it.
func TestSignalReachesTheCommand(t *testing.T) {
	t.Parallel()
	out := newLines()
	b := newBackend(t, "0.6.13")
	p, err := b.sandbox().Commands.Start(t.Context(), `bash -c 'trap "echo bye; exit 9" USR1; echo ready; while :; do sleep 0.05; done' & wait $!; wait $!`, &sandboxclient.StartOptions{OnStdout: out.add})
	if err != nil {
		t.Fatal(err)
	}
	out.await(t, "ready")
	if err := p.Signal(t.Context(), sandboxclient.SIGUSR1); err != nil {
		t.Fatal(err)
	}
	out.await(t, "bye")
	if _, err := p.Wait(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestKillEndsTheTree(t *testing.T) {
	t.Parallel()
	out := newLines()
	b := newBackend(t, "0.6.13")
	p, err := b.sandbox().Commands.Start(t.Context(), stubborn, &sandboxclient.StartOptions{OnStdout: out.add})
	if err != nil {
		t.Fatal(err)
	}
	out.await(t, "working")
	if err := p.Kill(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got, err := p.Wait(t.Context()); err != nil || got.ExitCode != 137 {
		t.Errorf("got %+v, %v, want exit 137", got, err)
	}
	assertNothingLeft(t, b)
}

func TestStartTimeoutEndsTheTree(t *testing.T) {
	t.Parallel()
	b := newBackend(t, "0.6.13")
	p, err := b.sandbox().Commands.Start(t.Context(), stubborn, &sandboxclient.StartOptions{Timeout: 300 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := p.Wait(t.Context()); err != nil || !got.TimedOut || got.ExitCode != 124 {
		t.Errorf("got %+v, %v", got, err)
	}
	assertNothingLeft(t, b)
}

func TestStartContextIsOnlyForTheStart(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	p, err := newBackend(t, "0.6.13").sandbox().Commands.Start(ctx, "sleep 0.3; echo done", nil)
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	if got, err := p.Wait(t.Context()); err != nil || got.Stdout.String() != "done\n" {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestDetachAndConnect(t *testing.T) {
	t.Parallel()
	for _, version := range envds {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			b := newBackend(t, version)
			commands := b.sandbox().Commands
			first := newLines()
			p, err := commands.Start(t.Context(), "echo first; until [ -e go ]; do sleep 0.05; done; echo second; sleep 60 & exit 6", &sandboxclient.StartOptions{OnStdout: first.add})
			if err != nil {
				t.Fatal(err)
			}
			first.await(t, "first")
			p.Detach()
			if _, err := p.Wait(t.Context()); err == nil {
				t.Error("a process that is no longer followed has a result")
			}
			second, err := commands.Connect(t.Context(), p.PID(), nil)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(b.process.home, "go"), nil, 0o600); err != nil {
				t.Fatal(err)
			}
			got, err := second.Wait(t.Context())
			if err != nil || got.ExitCode != 6 || got.Stdout.String() != "second\n" {
				t.Errorf("got %+v, %v, want exit 6 and only what came later", got, err)
			}
		})
	}
}

func TestConnectToUnknownProcess(t *testing.T) {
	t.Parallel()
	commands := newBackend(t, "0.6.13").sandbox().Commands
	_, err := commands.Connect(t.Context(), 4_000_000, nil)
	if !sandboxclient.IsNotFound(err) {
		t.Errorf("connect: %v", err)
	}
	if err := commands.Kill(t.Context(), 4_000_000); !sandboxclient.IsNotFound(err) {
		t.Errorf("kill: %v", err)
	}
}

func TestListAndKillByPID(t *testing.T) {
	t.Parallel()
	b := newBackend(t, "0.5.2")
	commands := b.sandbox().Commands
	out := newLines()
	p, err := commands.Start(t.Context(), stubborn, &sandboxclient.StartOptions{OnStdout: out.add})
	if err != nil {
		t.Fatal(err)
	}
	out.await(t, "working")
	list, err := commands.List(t.Context())
	if err != nil || len(list) != 1 || list[0].PID != p.PID() || list[0].Cmd != "/bin/bash" {
		t.Fatalf("list %+v, %v", list, err)
	}
	if err := commands.Kill(t.Context(), p.PID()); err != nil {
		t.Fatal(err)
	}
	if got, err := p.Wait(t.Context()); err != nil || got.ExitCode != 137 {
		t.Errorf("got %+v, %v", got, err)
	}
	assertNothingLeft(t, b)
}

func TestWaitEndsWithItsContextAlone(t *testing.T) {
	t.Parallel()
	p, err := newBackend(t, "0.6.13").sandbox().Commands.Start(t.Context(), "sleep 0.3; exit 2", nil)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := p.Wait(ctx); !sandboxclient.IsCanceled(err) {
		t.Errorf("got %v", err)
	}
	if got, err := p.Wait(t.Context()); err != nil || got.ExitCode != 2 {
		t.Errorf("later: %+v, %v", got, err)
	}
}

func TestTerminalOnTheWire(t *testing.T) {
	t.Parallel()
	b := newBackend(t, "0.6.13")
	b.process.script = terminalScript
	p, err := b.sandbox().Commands.StartTerminal(t.Context(), &sandboxclient.TerminalOptions{Envs: map[string]string{"LANG": "x"}})
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Resize(t.Context(), sandboxclient.TerminalSize{Cols: 100, Rows: 50}); err != nil {
		t.Error(err)
	}
	if err := p.SendStdin(t.Context(), []byte("exit\n")); err != nil {
		t.Error(err)
	}
	got, err := p.Wait(t.Context())
	if want := "80x24 -i -l TERM=xterm-256color LANG=x|100x50|exit\n"; err != nil || got.Stdout.String() != want {
		t.Errorf("got %q, %v, want %q", got.Stdout, err, want)
	}
}
