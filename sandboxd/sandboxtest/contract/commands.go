package contract

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/agentsandbox/agent-sandbox/sandboxclient"
)

var commandCases = []one{
	{"output and exit code", outputAndExitCode},
	{"streams while it runs", streamsWhileItRuns},
	{"environment and directory", environmentAndDirectory},
	{"missing directory", missingDirectory},
	{"a signal is 128 plus its number", signalExit},
	{"UTF-8 and bytes", utf8AndBytes},
	{"large output is capped", largeOutput},
	{"stdin", commandStdin},
	{"a timeout kills the tree", timeoutKillsTree},
	{"a cancelled call kills the tree", cancelKillsTree},
	{"a background child holds nothing up", backgroundChild},
	{"list, connect, signal, kill", listConnectKill},
	{"many at once", manyAtOnce},
	{"terminal", terminal},
}

func outputAndExitCode(r *run) {
	sandbox := r.create(nil)
	result, err := sandbox.Commands.Run(r.ctx, "echo out; echo err >&2; exit 3", nil)
	r.check("run", err)
	if got := fmt.Sprintf("%s%s%d", result.Stdout, result.Stderr, result.ExitCode); got != "out\nerr\n3" {
		r.Errorf("got %q, want out, err and 3", got)
	}
	result, err = sandbox.Commands.Run(r.ctx, "no-such-program", nil)
	r.check("run", err)
	if result.ExitCode != 127 {
		r.Errorf("exit code of a missing program is %d, want 127", result.ExitCode)
	}
}

func streamsWhileItRuns(r *run) {
	sandbox := r.create(nil)
	first := make(chan struct{})
	var once sync.Once
	process, err := sandbox.Commands.Start(r.ctx, "echo first; read line; echo then $line", &sandboxclient.StartOptions{
		Stdin: true, OnStdout: func([]byte) { once.Do(func() { close(first) }) },
	})
	r.check("start", err)
	select {
	case <-first:
	case <-r.ctx.Done():
		r.Fatal("nothing came before the end")
	}
	r.check("send", process.SendStdin(r.ctx, []byte("go\n")))
	result, err := process.Wait(r.ctx)
	r.check("wait", err)
	if got := result.Stdout.String(); got != "first\nthen go\n" {
		r.Errorf("got %q", got)
	}
}

func environmentAndDirectory(r *run) {
	sandbox := r.create(&sandboxclient.CreateOptions{Envs: map[string]string{"A": "create", "B": "create"}})
	r.check("make directory", sandbox.Files.MakeDir(r.ctx, "a dir/漢", nil))
	result, err := sandbox.Commands.Run(r.ctx, `pwd; echo "$A $B $C"`, &sandboxclient.RunOptions{
		Cwd: "a dir/漢", Envs: map[string]string{"B": "call", "C": "it's \"quoted\"\n"},
	})
	r.check("run", err)
	got := strings.Split(result.Stdout.String(), "\n")
	if !strings.HasSuffix(got[0], "/a dir/漢") || got[1] != `create call it's "quoted"` {
		r.Errorf("got %q", got)
	}
}

func missingDirectory(r *run) {
	sandbox := r.create(nil)
	_, err := sandbox.Commands.Run(r.ctx, "pwd", &sandboxclient.RunOptions{Cwd: "/no/such/directory"})
	if code := sandboxclient.CodeOf(err); code != sandboxclient.CodeInvalidArgument && code != sandboxclient.CodeNotFound {
		r.Errorf("run in a missing directory: %v (code %q)", err, code)
	}
}

func signalExit(r *run) {
	sandbox := r.create(nil)
	result, err := sandbox.Commands.Run(r.ctx, "kill -KILL $$", nil)
	r.check("run", err)
	if result.ExitCode != 128+9 {
		r.Errorf("exit code is %d, want 137", result.ExitCode)
	}
}

func utf8AndBytes(r *run) {
	sandbox := r.create(nil)
	var whole bytes.Buffer
	result, err := sandbox.Commands.Run(r.ctx, "for i in $(seq 20000); do printf 'é漢😀'; done; printf '\\377\\000\\001' >&2",
		&sandboxclient.RunOptions{OnStdout: func(p []byte) { whole.Write(p) }})
	r.check("run", err)
	want := strings.Repeat("é漢😀", 20000)
	if whole.String() != want || result.Stdout.String() != want {
		r.Error("text did not come back as it was printed")
	}
	if got := result.Stderr.Bytes(); !bytes.Equal(got, []byte{0xff, 0, 1}) {
		r.Errorf("bytes came back as %v", got)
	}
}

func largeOutput(r *run) {
	sandbox := r.create(nil)
	result, err := sandbox.Commands.Run(r.ctx, "printf begin; head -c 5000000 /dev/zero; printf end",
		&sandboxclient.RunOptions{MaxOutput: 1000})
	r.check("run", err)
	out := result.Stdout
	if out.Total != 5_000_008 || !out.Truncated() || len(out.Head)+len(out.Tail) > 1000 {
		r.Errorf("total %d, kept %d, truncated %t", out.Total, len(out.Head)+len(out.Tail), out.Truncated())
	}
	if !bytes.HasPrefix(out.Head, []byte("begin")) || !bytes.HasSuffix(out.Tail, []byte("end")) {
		r.Errorf("head %q, tail %q", out.Head[:5], out.Tail[len(out.Tail)-3:])
	}
}

func commandStdin(r *run) {
	sandbox := r.create(nil)
	in := strings.Repeat("a line of input\n", 10_000)
	result, err := sandbox.Commands.Run(r.ctx, "wc -c; echo done", &sandboxclient.RunOptions{Stdin: strings.NewReader(in)})
	r.check("run", err)
	if got := strings.Fields(result.Stdout.String()); len(got) != 2 || got[0] != fmt.Sprint(len(in)) {
		r.Errorf("got %q", got)
	}
	result, err = sandbox.Commands.Run(r.ctx, "cat; echo end of file", nil)
	r.check("run", err)
	if got := result.Stdout.String(); got != "end of file\n" {
		r.Errorf("without stdin: %q", got)
	}
}

// stubborn is a command whose grandchild has left its session and ignores
// SIGTERM; it writes its pid where the case can find it.
const stubborn = `echo started; setsid sh -c 'trap "" TERM; echo $$ > "$HOME/grandchild"; while :; do sleep 1; done' & wait`

func timeoutKillsTree(r *run) {
	sandbox := r.create(nil)
	result, err := sandbox.Commands.Run(r.ctx, stubborn, &sandboxclient.RunOptions{Timeout: 1500 * time.Millisecond})
	r.check("run", err)
	if !result.TimedOut || result.ExitCode != 124 || result.Stdout.String() != "started\n" {
		r.Errorf("timed out %t, exit code %d, stdout %q", result.TimedOut, result.ExitCode, result.Stdout)
	}
	r.grandchildIsGone(sandbox)
}

func cancelKillsTree(r *run) {
	sandbox := r.create(nil)
	ctx, cancel := context.WithCancel(r.ctx)
	defer cancel()
	_, err := sandbox.Commands.Run(ctx, stubborn, &sandboxclient.RunOptions{OnStdout: func([]byte) {
		time.AfterFunc(500*time.Millisecond, cancel)
	}})
	if !sandboxclient.IsCanceled(err) {
		r.Errorf("run: %v, want the code of a cancelled call", err)
	}
	r.grandchildIsGone(sandbox)
}

func (r *run) grandchildIsGone(sandbox *sandboxclient.Sandbox) {
	r.Helper()
	// A process that has ended and that nobody has waited for is gone, too.
	const state = `cut -d' ' -f3 "/proc/$(cat "$HOME/grandchild")/stat" 2>/dev/null || true`
	r.eventually("the grandchild to be gone", func() bool {
		got := strings.TrimSpace(r.sh(sandbox, state))
		return got == "" || got == "Z"
	})
}

func backgroundChild(r *run) {
	sandbox := r.create(nil)
	started := time.Now()
	got := r.sh(sandbox, "sleep 30 & echo $!")
	if took := time.Since(started); took > 15*time.Second {
		r.Errorf("the shell's end took %s", took)
	}
	if alive := r.sh(sandbox, "kill -0 "+strings.TrimSpace(got)+" && echo alive"); alive != "alive\n" {
		r.Errorf("the background child is %q", alive)
	}
}

func listConnectKill(r *run) {
	sandbox := r.create(nil)
	process, err := sandbox.Commands.Start(r.ctx, "echo up; sleep 600", nil)
	r.check("start", err)
	processes, err := sandbox.Commands.List(r.ctx)
	r.check("list", err)
	found := false
	for _, p := range processes {
		found = found || p.PID == process.PID()
	}
	if !found {
		r.Errorf("process %d is not in the list of %d", process.PID(), len(processes))
	}
	again, err := sandbox.Commands.Connect(r.ctx, process.PID(), nil)
	r.check("connect", err)
	r.check("kill", process.Kill(r.ctx))
	for _, p := range []*sandboxclient.Process{process, again} {
		if _, err := p.Wait(r.ctx); err != nil {
			r.Errorf("wait: %v", err)
		}
	}
	r.wantCode("connect to a process that never was", connectError(r, sandbox), sandboxclient.CodeNotFound)
}

func connectError(r *run, sandbox *sandboxclient.Sandbox) error {
	_, err := sandbox.Commands.Connect(r.ctx, 1<<22-1, nil)
	return err
}

func manyAtOnce(r *run) {
	sandbox := r.create(nil)
	var all sync.WaitGroup
	for n := range 20 {
		all.Go(func() {
			result, err := sandbox.Commands.Run(r.ctx, fmt.Sprintf("sleep 0.2; echo %d; exit %d", n, n), nil)
			if err != nil {
				r.Errorf("command %d: %v", n, err)
				return
			}
			if result.Stdout.String() != fmt.Sprintf("%d\n", n) || result.ExitCode != n {
				r.Errorf("command %d printed %q and exited with %d", n, result.Stdout, result.ExitCode)
			}
		})
	}
	all.Wait()
}

func terminal(r *run) {
	sandbox := r.create(nil)
	screen := make(chan string, 1000)
	process, err := sandbox.Commands.StartTerminal(r.ctx, &sandboxclient.TerminalOptions{
		Size:     sandboxclient.TerminalSize{Cols: 80, Rows: 24},
		OnOutput: func(p []byte) { screen <- string(p) },
	})
	r.check("start terminal", err)
	r.typeAndAwait(process, screen, "stty size\n", "24 80")
	r.check("resize", process.Resize(r.ctx, sandboxclient.TerminalSize{Cols: 132, Rows: 43}))
	r.typeAndAwait(process, screen, "stty size\n", "43 132")
	r.check("type", process.SendStdin(r.ctx, []byte("exit 5\n")))
	result, err := process.Wait(r.ctx)
	r.check("wait", err)
	if result.ExitCode != 5 {
		r.Errorf("exit code is %d, want 5", result.ExitCode)
	}
}

func (r *run) typeAndAwait(process *sandboxclient.Process, screen <-chan string, text, want string) {
	r.Helper()
	r.check("type", process.SendStdin(r.ctx, []byte(text)))
	var seen strings.Builder
	for !strings.Contains(seen.String(), want) {
		select {
		case part := <-screen:
			seen.WriteString(part)
		case <-r.ctx.Done():
			r.Fatalf("typed %q, waited for %q, saw %q", text, want, seen.String())
		}
	}
}
