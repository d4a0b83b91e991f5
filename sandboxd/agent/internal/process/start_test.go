package process_test

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"connectrpc.com/connect"

	wire "github.com/agentsandbox/agent-sandbox/sandboxclient/envd/process"
	"github.com/agentsandbox/agent-sandbox/sandboxd/agent/internal/process"
	"github.com/agentsandbox/agent-sandbox/sandboxd/agent/internal/settings"
)

func TestEnvironmentLayers(t *testing.T) {
	t.Parallel()
	b := newBench(t, process.Options{
		BaseEnv:  map[string]string{"PATH": "/usr/bin:/bin", "A": "base", "B": "base", "C": "base", "HOME": "base", "USER": "base"},
		Settings: settings.New(settings.Values{Envs: map[string]string{"B": "sandbox", "C": "sandbox", "LOGNAME": "sandbox"}}),
	})
	req := sh(`echo "$A $B $C $HOME $USER $LOGNAME"; env | wc -l`)
	req.Process.Envs = map[string]string{"C": "request"}
	o := b.run(req)
	want := "base sandbox request " + b.home + " user sandbox\n"
	first, rest, _ := strings.Cut(o.stdout.String(), "\n")
	if first+"\n" != want {
		t.Errorf("environment %q, want %q", first, want)
	}
	// PATH, A, B, C, HOME, USER, LOGNAME, and PWD of the shell (SHLVL and _ of some).
	if n := strings.TrimSpace(rest); n != "8" && n != "9" && n != "10" {
		t.Errorf("%s variables: something of the agent's own leaked in", n)
	}
}

func TestProgramIsFoundOnThePathOfTheRequest(t *testing.T) {
	t.Parallel()
	b := newBench(t, process.Options{})
	if err := os.Mkdir(b.path("bin"), 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, b.path("bin/hello"), "#!/bin/sh\necho found \"$1\"\n", 0o755)
	for _, path := range []string{b.path("bin"), "bin"} {
		off := false
		o := b.run(&wire.StartRequest{Stdin: &off, Process: &wire.ProcessConfig{
			Cmd: "hello", Args: []string{"x y"}, Envs: map[string]string{"PATH": path},
		}})
		if o.stdout.String() != "found x y\n" {
			t.Errorf("PATH=%s: %q, %q, end %v, error %v", path, &o.stdout, &o.stderr, o.end, o.err)
		}
	}
}

func write(t *testing.T, path, content string, mode os.FileMode) {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), mode); err != nil {
		t.Fatal(err)
	}
}

func TestProgramsThatCannotRun(t *testing.T) {
	t.Parallel()
	b := newBench(t, process.Options{})
	write(t, b.path("plain"), "echo as a script \"$1\"", 0o755)
	write(t, b.path("mode"), "#!/bin/sh\n", 0o644)
	write(t, b.path("interpreter"), "#!/no/such/interpreter\n", 0o755)
	for _, tt := range []struct {
		cmd            string
		code           int32
		stdout, stderr string
	}{
		{"/no/such", 127, "", "'/no/such': no such file or directory"},
		{"no-such", 127, "", "'no-such': no such file or directory"},
		{"", 127, "", "'': no such file or directory"},
		{b.path("mode"), 126, "", "permission denied"},
		{b.home, 126, "", "permission denied"},
		{b.path("mode/x"), 126, "", "not a directory"},
		{b.path("interpreter"), 127, "", "no such file or directory"},
		{b.path("plain"), 0, "as a script arg\n", ""},
	} {
		off := false
		o := b.run(&wire.StartRequest{Stdin: &off, Process: &wire.ProcessConfig{Cmd: tt.cmd, Args: []string{"arg"}}})
		if o.err != nil || o.pid == 0 || o.end.GetExitCode() != tt.code {
			t.Errorf("%q: pid %d, end %v, error %v; want exit %d", tt.cmd, o.pid, o.end, o.err, tt.code)
		}
		if o.stdout.String() != tt.stdout || !strings.Contains(o.stderr.String(), tt.stderr) {
			t.Errorf("%q: stdout %q, stderr %q; want %q and %q", tt.cmd, &o.stdout, &o.stderr, tt.stdout, tt.stderr)
		}
	}
}

func TestWorkingDirectory(t *testing.T) {
	t.Parallel()
	b := newBench(t, process.Options{})
	work := t.TempDir()
	elsewhere := newBench(t, process.Options{Settings: settings.New(settings.Values{Workdir: work})})
	if err := os.Mkdir(b.path("sub"), 0o755); err != nil {
		t.Fatal(err)
	}
	at := func(b *bench, cwd *string) string {
		req := sh("pwd")
		req.Process.Cwd = cwd
		return strings.TrimSpace(b.run(req).stdout.String())
	}
	ptr := func(s string) *string { return &s }
	for _, tt := range []struct {
		b    *bench
		cwd  *string
		want string
	}{
		{b, nil, b.home},
		{b, ptr(""), b.home},
		{b, ptr("~"), b.home},
		{b, ptr("~/sub"), b.path("sub")},
		{b, ptr("sub"), b.path("sub")},
		{b, ptr("/"), "/"},
		{elsewhere, nil, work},
		{elsewhere, ptr("."), elsewhere.home}, // relative paths start at the home
	} {
		if got := at(tt.b, tt.cwd); got != tt.want {
			t.Errorf("cwd %v: in %q, want %q", tt.cwd, got, tt.want)
		}
	}
	for _, cwd := range []string{"/no/such", "~other"} {
		req := sh("pwd")
		req.Process.Cwd = &cwd
		o := b.run(req)
		codeIs(t, o.err, connect.CodeInvalidArgument)
		if o.pid != 0 {
			t.Errorf("cwd %q: start event before the error", cwd)
		}
	}
}

func TestArgumentListTooLongIsAnErrorOfTheCall(t *testing.T) {
	t.Parallel()
	b := newBench(t, process.Options{})
	o := b.run(&wire.StartRequest{Process: &wire.ProcessConfig{Cmd: "/bin/true", Args: []string{strings.Repeat("x", 1<<20)}}})
	codeIs(t, o.err, connect.CodeInvalidArgument)
	if list, err := b.List(b.ctx, &wire.ListRequest{}); err != nil || len(list.GetProcesses()) != 0 {
		t.Errorf("List after a failed start: %v, %v", list, err)
	}
}

func TestKeepaliveFillsSilence(t *testing.T) {
	t.Parallel()
	b := newBench(t, process.Options{})
	ctx, call := connect.NewClientContext(b.ctx)
	call.RequestHeader().Set("Keepalive-Ping-Interval", "1")
	s, err := b.Start(ctx, sh("sleep 2.5; echo done"))
	if err != nil {
		t.Fatal(err)
	}
	if o := collect(s); o.keepalives != 2 || o.stdout.String() != "done\n" {
		t.Errorf("%d keepalives, output %q; want 2", o.keepalives, &o.stdout)
	}
}

func TestSignalLetsLastWordsThrough(t *testing.T) {
	t.Parallel()
	b := newBench(t, process.Options{})
	// The background child holds the output open; after a signal nobody waits for it.
	s, pid := b.start(b.ctx, sh(`sleep 600 & trap 'echo last words; kill -9 $$' TERM; echo up; while :; do sleep 0.02; done`))
	if !s.Receive() || string(s.Msg().GetEvent().GetData().GetStdout()) != "up\n" {
		t.Fatalf("no output: %v", s.Err())
	}
	if _, err := b.SendSignal(b.ctx, &wire.SendSignalRequest{Process: byPID(pid), Signal: wire.Signal_SIGNAL_SIGTERM}); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	o := collect(s)
	if o.stdout.String() != "last words\n" || o.end.GetStatus() != "signal: killed" || o.end.GetExited() || o.end.GetExitCode() != -1 {
		t.Errorf("output %q, end %v, error %v", &o.stdout, o.end, o.err)
	}
	if time.Since(began) > 20*time.Second {
		t.Error("the stream waited for the background child")
	}
}

func TestUnknownSignalsAreRefused(t *testing.T) {
	t.Parallel()
	b := newBench(t, process.Options{})
	_, pid := b.start(b.ctx, sh("exec sleep 60"))
	_, err := b.SendSignal(b.ctx, &wire.SendSignalRequest{Process: byPID(pid), Signal: 2})
	codeIs(t, err, connect.CodeUnimplemented)
	_, err = b.SendSignal(b.ctx, &wire.SendSignalRequest{Signal: wire.Signal_SIGNAL_SIGKILL})
	codeIs(t, err, connect.CodeUnimplemented)
	_, err = b.SendSignal(b.ctx, &wire.SendSignalRequest{Process: byPID(4_000_000), Signal: wire.Signal_SIGNAL_SIGKILL})
	codeIs(t, err, connect.CodeNotFound)
}

func TestStartsLeakNoDescriptors(t *testing.T) { // not parallel: it counts what the whole process has open
	if _, err := os.Stat("/proc/self/fd"); err != nil {
		t.Skip("counts descriptors in /proc, which this system does not have")
	}
	b := newBench(t, process.Options{Retain: time.Minute})
	b.run(sh("true"))
	open := func() int {
		entries, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Fatal(err)
		}
		return len(entries)
	}
	before := open()
	for range 30 {
		b.run(sh("exit 1"))
		b.run(&wire.StartRequest{Process: &wire.ProcessConfig{Cmd: "no-such"}})
		b.run(&wire.StartRequest{Process: &wire.ProcessConfig{Cmd: "/bin/true"}, Pty: &wire.PTY{}})
		ctx, cancel := context.WithTimeout(b.ctx, 10*time.Millisecond)
		if s, err := b.Start(ctx, sh("sleep 60")); err == nil {
			collect(s)
		}
		cancel()
	}
	eventually(t, "descriptors are closed", func() bool { return open() <= before+4 })
}
