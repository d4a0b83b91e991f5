package process_test

import (
	"errors"
	"os"
	"testing"
	"time"

	"connectrpc.com/connect"

	wire "github.com/agentsandbox/agent-sandbox/sandboxclient/envd/process"
	"github.com/agentsandbox/agent-sandbox/sandboxd/agent/internal/process"
)

func TestListenersGetTheSame(t *testing.T) {
	t.Parallel()
	b := newBench(t, process.Options{})
	goOn := b.path("go")
	s, pid := b.start(b.ctx, sh("until [ -e "+goOn+" ]; do sleep 0.02; done; head -c 300000 /dev/zero; exit 7"))
	results := make(chan *outcome, 3)
	var ready []*connect.ServerStreamForClient[wire.ConnectResponse]
	for range 3 {
		c, err := b.Connect(b.ctx, &wire.ConnectRequest{Process: byPID(pid)})
		if err != nil || !c.Receive() || c.Msg().GetEvent().GetStart().GetPid() != pid {
			t.Fatalf("connect: %v, %v", err, c.Err())
		}
		ready = append(ready, c)
	}
	for _, c := range ready {
		go func() { results <- collectConnect(c) }()
	}
	if err := os.WriteFile(goOn, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if o := collect(s); o.stdout.Len() != 300000 || o.end.GetExitCode() != 7 {
		t.Errorf("starter got %d bytes, end %v", o.stdout.Len(), o.end)
	}
	for range 3 {
		if o := <-results; o.stdout.Len() != 300000 || o.end.GetExitCode() != 7 || o.err != nil {
			t.Errorf("listener got %d bytes, end %v, error %v", o.stdout.Len(), o.end, o.err)
		}
	}
}

func TestExitIsRetainedForAWhile(t *testing.T) {
	t.Parallel()
	b := newBench(t, process.Options{Retain: 300 * time.Millisecond})
	o := b.run(sh("exit 9"))
	c, err := b.Connect(b.ctx, &wire.ConnectRequest{Process: byPID(o.pid)})
	if err != nil {
		t.Fatal(err)
	}
	if late := collectConnect(c); late.end.GetExitCode() != 9 || late.pid != o.pid || late.err != nil {
		t.Errorf("late listener: %v, %v", late.end, late.err)
	}
	eventually(t, "exit is forgotten", func() bool {
		c, err := b.Connect(b.ctx, &wire.ConnectRequest{Process: byPID(o.pid)})
		if err == nil {
			err = collectConnect(c).err
		}
		return connect.CodeOf(err) == connect.CodeNotFound
	})
}

func TestExitIsNotRetainedWithoutRetention(t *testing.T) {
	t.Parallel()
	b := newBench(t, process.Options{})
	o := b.run(sh("true"))
	c, err := b.Connect(b.ctx, &wire.ConnectRequest{Process: byPID(o.pid)})
	if err == nil {
		err = collectConnect(c).err
	}
	codeIs(t, err, connect.CodeNotFound)
}

func TestTagFindsTheNewest(t *testing.T) {
	t.Parallel()
	b := newBench(t, process.Options{})
	tag := "job"
	var pids []uint32
	for range 3 {
		req := sh("exec sleep 60")
		req.Tag = &tag
		_, pid := b.start(b.ctx, req)
		pids = append(pids, pid)
	}
	byTag := &wire.ProcessSelector{Selector: &wire.ProcessSelector_Tag{Tag: tag}}
	c, err := b.Connect(b.ctx, &wire.ConnectRequest{Process: byTag})
	if err != nil || !c.Receive() {
		t.Fatalf("connect: %v", errors.Join(err, c.Err()))
	}
	if got := c.Msg().GetEvent().GetStart().GetPid(); got != pids[2] {
		t.Errorf("pid %d, want the newest of %v", got, pids)
	}
}
