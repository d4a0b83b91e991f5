package sandboxclient_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/agentsandbox/agent-sandbox/sandboxclient"
)

// envds are the two versions whose features differ most: FC's and E2B's.
var envds = []string{"0.5.2", "0.6.13"}

func TestRun(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, cmd      string
		stdout, stderr string
		exit           int
	}{
		{"output on both streams", "echo out; echo err >&2", "out\n", "err\n", 0},
		{"no trailing newline", "printf abc", "abc", "", 0},
		{"nothing", "", "", "", 0},
		{"exit", "echo a; exit 3", "a\n", "", 3},
		{"set -e", "set -e; false; echo no", "", "", 1},
		{"here-document", "cat <<X\n  $((1+1))'\nX", "  2'\n", "", 0},
		{"comment at the end", "echo a # )", "a\n", "", 0},
		{"backslash at the end", `echo a\`, "a\\\n", "", 0},
		{"quotes", `echo 'it'"'"'s' "\"x\""`, "it's \"x\"\n", "", 0},
		{"several lines", "a=1\nif true; then\n  echo $a\nfi", "1\n", "", 0},
		{"function", "f() { return 7; }; f", "", "", 7},
		{"signal", "kill -9 $BASHPID", "", "", 137},
		{"signal of a child", "sh -c 'kill -11 $$'", "", "", 139},
		{"exec", "exec echo x", "x\n", "", 0},
		{"no arguments leak", `echo "$0|$#|$*"`, "/bin/bash|0|\n", "", 0},
		{"closed stdout", "exec >&-; true", "", "", 0},
		{"trap on exit", "trap 'echo bye' EXIT; exit 4", "bye\n", "", 4},
		{"stdin is at its end", "read x; echo $?; cat", "1\n", "", 0},
		{"unknown command", "definitely-not-here 2>/dev/null", "", "", 127},
		{"separator byte in the output", `printf '\036x:0\036'`, "\x1ex:0\x1e", "", 0},
	} {
		for _, version := range envds {
			t.Run(test.name+" "+version, func(t *testing.T) {
				t.Parallel()
				got, err := newBackend(t, version).sandbox().Commands.Run(t.Context(), test.cmd, nil)
				if err != nil {
					t.Fatal(err)
				}
				if got.Stdout.String() != test.stdout || got.ExitCode != test.exit || !strings.HasPrefix(test.name, "signal") && got.Stderr.String() != test.stderr {
					t.Errorf("got %q, %q, exit %d, want %q, %q, exit %d", got.Stdout, got.Stderr, got.ExitCode, test.stdout, test.stderr, test.exit)
				}
			})
		}
	}
}

func TestRunReportsSyntaxErrors(t *testing.T) {
	t.Parallel()
	for _, cmd := range []string{"if", "echo )", "echo 'x", "echo $(", "}"} {
		got, err := newBackend(t, "0.6.13").sandbox().Commands.Run(t.Context(), cmd, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got.ExitCode == 0 || !strings.Contains(got.Stderr.String(), ": line ") {
			t.Errorf("%q: exit %d, stderr %q", cmd, got.ExitCode, got.Stderr)
		}
	}
}

func TestRunPassesEnvironmentAndDirectory(t *testing.T) {
	t.Parallel()
	b := newBackend(t, "0.6.13")
	dir := filepath.Join(b.process.home, "with 'quotes' and ünïcode")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	envs := map[string]string{"A": "l1\nl2", "B": `"; touch /x; "`, "C": "$HOME", "D": "", "E": "日本"}
	got, err := b.sandbox().Commands.Run(t.Context(), `printf '%s|' "$A" "$B" "$C" "${D-unset}" "$E"; pwd`, &sandboxclient.RunOptions{Cwd: dir, Envs: envs})
	if err != nil {
		t.Fatal(err)
	}
	if want := "l1\nl2|\"; touch /x; \"|$HOME||日本|" + dir + "\n"; got.Stdout.String() != want {
		t.Errorf("got %q, want %q", got.Stdout, want)
	}
}

func TestRunRefusesBadArgumentsBeforeAnyCall(t *testing.T) {
	t.Parallel()
	b := newBackend(t, "0.6.13")
	commands := b.sandbox().Commands
	for name, opts := range map[string]*sandboxclient.RunOptions{
		"negative timeout": {Timeout: -1},
		"empty name":       {Envs: map[string]string{"": "x"}},
		"blank in name":    {Envs: map[string]string{"A B": "x"}},
		"equals in name":   {Envs: map[string]string{"A=B": "x"}},
		"NUL in value":     {Envs: map[string]string{"A": "x\x00"}},
		"NUL in cwd":       {Cwd: "/\x00"},
	} {
		if _, err := commands.Run(t.Context(), "true", opts); sandboxclient.CodeOf(err) != sandboxclient.CodeInvalidArgument {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := commands.Run(t.Context(), strings.Repeat("x", 200_000), nil); sandboxclient.CodeOf(err) != sandboxclient.CodeInvalidArgument {
		t.Errorf("long command: %v", err)
	}
	if sent := b.seen("/process."); len(sent) != 0 {
		t.Errorf("%d requests were sent", len(sent))
	}
}

func TestRunInMissingDirectory(t *testing.T) {
	t.Parallel()
	_, err := newBackend(t, "0.6.13").sandbox().Commands.Run(t.Context(), "true", &sandboxclient.RunOptions{Cwd: "/no/such"})
	if sandboxclient.CodeOf(err) != sandboxclient.CodeInvalidArgument || !strings.Contains(err.Error(), "/no/such") {
		t.Errorf("got %v", err)
	}
}

// A child in the background keeps the pipe open; the shell's end is known all
// the same, and the child lives on.
func TestRunDoesNotWaitForBackgroundChildren(t *testing.T) {
	t.Parallel()
	b := newBackend(t, "0.6.13")
	start := time.Now()
	got, err := b.sandbox().Commands.Run(t.Context(), "sleep 30 & echo started; exit 5", nil)
	if err != nil {
		t.Fatal(err)
	}
	if took := time.Since(start); took > 10*time.Second {
		t.Errorf("took %v", took)
	}
	if got.Stdout.String() != "started\n" || got.ExitCode != 5 {
		t.Errorf("got %q, exit %d", got.Stdout, got.ExitCode)
	}
	if len(b.process.marked()) == 0 {
		t.Error("the background child is gone")
	}
}

// What a timeout has to end: a child in the background, one in a session of its
// own, and one that cleared its environment.
const stubborn = `trap '' TERM INT HUP
(while :; do date; sleep 0.05; done >beat1) &
setsid sh -c 'while :; do date; sleep 0.05; done >beat2' &
env -i /bin/sh -c 'while :; do date; sleep 0.05; done >beat3' &
(setsid sh -c 'nohup sleep 60 >/dev/null 2>&1 &' )
echo working
wait`

func TestTimeoutKillsTheWholeTree(t *testing.T) {
	t.Parallel()
	for _, version := range envds {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			b := newBackend(t, version)
			got, err := b.sandbox().Commands.Run(t.Context(), stubborn, &sandboxclient.RunOptions{Timeout: 500 * time.Millisecond})
			if err != nil {
				t.Fatal(err)
			}
			if !got.TimedOut || got.ExitCode != 124 || got.KillErr != nil || got.Stdout.String() != "working\n" {
				t.Errorf("got %+v", got)
			}
			assertNothingLeft(t, b)
		})
	}
}

func TestCancelKillsTheWholeTree(t *testing.T) {
	t.Parallel()
	b := newBackend(t, "0.6.13")
	ctx, cancel := context.WithCancel(t.Context())
	got, err := b.sandbox().Commands.Run(ctx, stubborn, &sandboxclient.RunOptions{OnStdout: func([]byte) { cancel() }})
	if !sandboxclient.IsCanceled(err) {
		t.Fatalf("got %v, want a cancelled call", err)
	}
	if got == nil || got.Stdout.String() != "working\n" {
		t.Errorf("got %+v", got)
	}
	assertNothingLeft(t, b)
}

func TestDeadlineOfTheContextKillsTheWholeTree(t *testing.T) {
	t.Parallel()
	b := newBackend(t, "0.6.13")
	ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
	defer cancel()
	_, err := b.sandbox().Commands.Run(ctx, stubborn, nil)
	if !sandboxclient.IsTimeout(err) {
		t.Fatalf("got %v, want a timeout", err)
	}
	assertNothingLeft(t, b)
}

// assertNothingLeft checks the processes by mark, and those without one by
// their heartbeats.
func assertNothingLeft(t *testing.T, b *backend) {
	t.Helper()
	if left := b.process.marked(); len(left) != 0 {
		t.Errorf("processes %v are left", left)
	}
	read := func() string {
		var all bytes.Buffer
		for i := 1; i <= 3; i++ {
			beat, _ := os.ReadFile(filepath.Join(b.process.home, fmt.Sprintf("beat%d", i)))
			fmt.Fprintf(&all, "%d ", len(beat))
		}
		return all.String()
	}
	before := read()
	time.Sleep(200 * time.Millisecond) // four heartbeats
	if after := read(); after != before {
		t.Errorf("heartbeats go on: %s, then %s", before, after)
	}
}

// A time that is up before the process has started ends it all the same.
func TestTinyTimeout(t *testing.T) {
	t.Parallel()
	b := newBackend(t, "0.6.13")
	got, err := b.sandbox().Commands.Run(t.Context(), "sleep 60", &sandboxclient.RunOptions{Timeout: time.Nanosecond})
	if err != nil || !got.TimedOut || got.ExitCode != 124 {
		t.Errorf("got %+v, %v", got, err)
	}
	assertNothingLeft(t, b)
}

func TestServerDeadlineIsOnlyAGuard(t *testing.T) {
	t.Parallel()
	b := newBackend(t, "0.6.13")
	commands := b.sandbox().Commands
	if _, err := commands.Run(t.Context(), "true", &sandboxclient.RunOptions{Timeout: 10 * time.Second}); err != nil {
		t.Fatal(err)
	}
	if _, err := commands.Run(t.Context(), "true", nil); err != nil {
		t.Fatal(err)
	}
	if got := b.process.deadlines[0].Round(time.Second); got != 40*time.Second {
		t.Errorf("deadline is %v after the start, want 30 s more than the timeout", got)
	}
	if got := b.process.deadlines[1]; got != 0 {
		t.Errorf("a run without a timeout sent the deadline %v", got)
	}
}

func TestRunFeedsStdin(t *testing.T) {
	t.Parallel()
	for _, version := range envds {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			input := strings.Repeat("0123456789abcdef", 20_000) // more than one message
			got, err := newBackend(t, version).sandbox().Commands.Run(t.Context(), "md5sum; echo end", &sandboxclient.RunOptions{Stdin: strings.NewReader(input)})
			if err != nil {
				t.Fatal(err)
			}
			if want := "b5a90c82c5a24e7877223ab18fb6ceb2  -\nend\n"; got.Stdout.String() != want {
				t.Errorf("got %q, want %q", got.Stdout, want)
			}
		})
	}
}

func TestFailingStdinIsReported(t *testing.T) {
	t.Parallel()
	commands := newBackend(t, "0.6.13").sandbox().Commands
	got, err := commands.Run(t.Context(), "cat", &sandboxclient.RunOptions{Stdin: &brokenSource{}})
	if err != nil || got.Stdout.String() != "some bytes" || !errors.Is(got.StdinErr, errSource) {
		t.Errorf("got %+v, %v", got, err)
	}
	got, err = commands.Run(t.Context(), "true", &sandboxclient.RunOptions{Stdin: &noise{n: 1 << 20}})
	if err != nil || got.ExitCode != 0 || got.StdinErr != nil {
		t.Errorf("a process that does not read: %+v, %v", got, err)
	}
}

// Input waits for a process that is slow to read, longer than any request may
// take.
func TestStdinWaitsForItsReader(t *testing.T) {
	t.Parallel()
	b := newBackend(t, "0.6.13")
	s, err := b.client(&sandboxclient.Options{RequestTimeout: 500 * time.Millisecond}).Create(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	got, err := s.Commands.Run(t.Context(), "sleep 1.5; wc -c", &sandboxclient.RunOptions{Stdin: &noise{n: 300_000}})
	if err != nil || got.StdinErr != nil || strings.TrimSpace(got.Stdout.String()) != "300000" {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestRunKeepsHeadAndTail(t *testing.T) {
	t.Parallel()
	var seen int
	got, err := newBackend(t, "0.6.13").sandbox().Commands.Run(t.Context(), "seq 1 200000; printf END", &sandboxclient.RunOptions{
		MaxOutput: 1000, OnStdout: func(p []byte) { seen += len(p) },
	})
	if err != nil {
		t.Fatal(err)
	}
	const total = 1288895 + 3 // digits and line ends of 1 to 200000
	if got.Stdout.Total != total || seen != total {
		t.Errorf("total %d, seen %d, want %d", got.Stdout.Total, seen, total)
	}
	if !bytes.HasPrefix(got.Stdout.Head, []byte("1\n2\n3\n")) || !bytes.HasSuffix(got.Stdout.Tail, []byte("\n200000\nEND")) {
		t.Errorf("head %.20q, tail %q", got.Stdout.Head, got.Stdout.Tail[len(got.Stdout.Tail)-20:])
	}
	if got.Stdout.Dropped() != total-1000 || !strings.Contains(got.Stdout.String(), fmt.Sprintf("[... %d bytes omitted ...]", total-1000)) {
		t.Errorf("dropped %d", got.Stdout.Dropped())
	}
}

func TestChunksDoNotCutCharacters(t *testing.T) {
	t.Parallel()
	var joined bytes.Buffer
	cmd := `printf '\346'; sleep 0.1; printf '\227'; sleep 0.1; printf '\245x\377\360\237'`
	got, err := newBackend(t, "0.6.13").sandbox().Commands.Run(t.Context(), cmd, &sandboxclient.RunOptions{OnStdout: func(p []byte) {
		joined.Write(p)
		if joined.Len() < 3 {
			t.Errorf("chunk %q cuts a character", p)
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	if want := "\u65e5x\xff\xf0\x9f"; joined.String() != want || string(got.Stdout.Bytes()) != want {
		t.Errorf("got %q and %q, want %q", joined.String(), got.Stdout.Bytes(), want)
	}
}
