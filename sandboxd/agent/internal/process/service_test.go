package process_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"connectrpc.com/connect"

	wire "github.com/agentsandbox/agent-sandbox/sandboxclient/envd/process"
	"github.com/agentsandbox/agent-sandbox/sandboxd/agent/internal/process"
)

func TestOutputIsCompleteBeforeTheEnd(t *testing.T) {
	t.Parallel()
	b := newBench(t, process.Options{})
	const want = 300_000
	for range 10 {
		o := b.run(sh("head -c 300000 /dev/zero; head -c 300000 /dev/zero >&2"))
		if o.err != nil || o.stdout.Len() != want || o.stderr.Len() != want || o.afterEnd {
			t.Fatalf("%d and %d bytes, output after the end: %v, error %v", o.stdout.Len(), o.stderr.Len(), o.afterEnd, o.err)
		}
		if o.end.GetStatus() != "exit status 0" || !o.end.GetExited() || o.end.Error != nil {
			t.Fatalf("end event %v", o.end)
		}
	}
}

func TestDeadlineKillsTheMainProcessOnly(t *testing.T) {
	t.Parallel()
	b := newBench(t, process.Options{})
	survived := b.path("survived")
	ctx, cancel := context.WithTimeout(b.ctx, 300*time.Millisecond)
	defer cancel()
	s, pid := b.start(ctx, sh("echo before; (sleep 1; echo > "+survived+") & wait"))
	o := collect(s)
	codeIs(t, o.err, connect.CodeDeadlineExceeded)
	if o.end != nil || o.stdout.String() != "before\n" {
		t.Errorf("end %v, output %q; want no end and the output before the deadline", o.end, &o.stdout)
	}
	eventually(t, "process leaves the list", func() bool {
		list, err := b.List(b.ctx, &wire.ListRequest{})
		return err == nil && len(list.GetProcesses()) == 0
	})
	eventually(t, "descendant goes on", func() bool { return exists(survived) })
	res, err := b.SendSignal(b.ctx, &wire.SendSignalRequest{Process: byPID(pid), Signal: wire.Signal_SIGNAL_SIGKILL})
	if err == nil {
		t.Errorf("signal to a process that ended: %v", res)
	}
}

func TestDeadlineHoldsForAProcessWithoutClient(t *testing.T) {
	t.Parallel()
	b := newBench(t, process.Options{})
	gone, leave := context.WithCancel(b.ctx)
	ctx, cancel := context.WithTimeout(gone, 500*time.Millisecond)
	defer cancel()
	b.start(ctx, sh("exec sleep 60"))
	leave()
	eventually(t, "process ends at its deadline", func() bool {
		list, err := b.List(b.ctx, &wire.ListRequest{})
		return err == nil && len(list.GetProcesses()) == 0
	})
}

func TestClientThatLeavesLeavesTheProcess(t *testing.T) {
	t.Parallel()
	b := newBench(t, process.Options{})
	goOn, done := b.path("go"), b.path("done")
	ctx, leave := context.WithCancel(b.ctx)
	// More output than any buffer holds: nobody reads it any more.
	_, pid := b.start(ctx, sh("until [ -e "+goOn+" ]; do sleep 0.02; done; head -c 4194304 /dev/zero; echo > "+done+"; exec sleep 60"))
	leave()
	if err := os.WriteFile(goOn, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	eventually(t, "process gets rid of its output", func() bool { return exists(done) })
	list, err := b.List(b.ctx, &wire.ListRequest{})
	if err != nil || len(list.GetProcesses()) != 1 || list.GetProcesses()[0].GetPid() != pid {
		t.Errorf("List: %v, %v", list, err)
	}
}

func TestStalledClientHoldsTheProcessAndNothingGrows(t *testing.T) {
	t.Parallel()
	b := newBench(t, process.Options{})
	progress := b.path("progress")
	ctx, leave := context.WithCancel(b.ctx)
	defer leave()
	b.start(ctx, sh("i=0; while :; do head -c 1048576 /dev/urandom; i=$((i+1)); echo $i >> "+progress+"; done"))
	lines := func() int {
		text, _ := os.ReadFile(progress)
		return bytes.Count(text, []byte("\n"))
	}
	last, since := -1, time.Now()
	eventually(t, "process stands still", func() bool {
		if now := lines(); now != last {
			last, since = now, time.Now()
		}
		return time.Since(since) > 500*time.Millisecond
	})
	// Socket buffers hold some; a server without bounds would hold it all.
	if last > 32 {
		t.Errorf("%d MiB went somewhere while nobody was reading", last)
	}
	leave()
	eventually(t, "process goes on without its client", func() bool { return lines() > last+50 })
}

func TestCloseDoesNotWaitForStalledClients(t *testing.T) {
	t.Parallel()
	b := newBench(t, process.Options{})
	_, pid := b.start(b.ctx, sh("setsid sh -c 'exec sleep 600' & while :; do head -c 1048576 /dev/zero; done"))
	closed := make(chan struct{})
	go func() { b.svc.Close(); close(closed) }()
	select {
	case <-closed:
	case <-time.After(15 * time.Second):
		t.Fatal("Close hangs")
	}
	if exists("/proc/self") && exists(filepath.Join("/proc", strconv.Itoa(int(pid)))) {
		t.Errorf("process %d is still there", pid)
	}
	_, err := b.Start(b.ctx, sh("true"))
	if err == nil {
		s, _ := b.Start(b.ctx, sh("true"))
		err = collect(s).err
	}
	codeIs(t, err, connect.CodeUnavailable)
}
