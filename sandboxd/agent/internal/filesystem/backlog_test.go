package filesystem

import (
	"testing"

	"connectrpc.com/connect"
	"github.com/fsnotify/fsnotify"

	"github.com/agentsandbox/agent-sandbox/sandboxclient/envd/filesystem"
)

func TestPollSaysWhatWasLostAndGoesOn(t *testing.T) {
	t.Parallel()
	p := &polled{}
	for range backlog {
		p.put(&filesystem.FilesystemEvent{})
	}
	if events, err := p.take(); err != nil || len(events) != backlog {
		t.Fatalf("%d events, %v; want all of a full backlog", len(events), err)
	}
	for range backlog + 1 {
		p.put(&filesystem.FilesystemEvent{})
	}
	if events, err := p.take(); connect.CodeOf(err) != connect.CodeResourceExhausted || events != nil {
		t.Errorf("after a loss: %d events, %v", len(events), err)
	}
	p.put(&filesystem.FilesystemEvent{Name: "next"})
	if events, err := p.take(); err != nil || len(events) != 1 || events[0].GetName() != "next" {
		t.Errorf("after the loss was told: %v, %v", events, err)
	}
	if events, err := p.take(); err != nil || events != nil {
		t.Errorf("with nothing new: %v, %v", events, err)
	}
}

func TestOverflowOfTheKernelIsTold(t *testing.T) {
	t.Parallel()
	w, err := newWatch(t.TempDir(), false)
	if err != nil {
		t.Fatal(err)
	}
	p := &polled{watch: w, done: make(chan struct{})}
	go p.collect()
	w.notify.Errors <- fsnotify.ErrEventOverflow // as if from the kernel
	<-p.done
	if _, err := p.take(); connect.CodeOf(err) != connect.CodeResourceExhausted {
		t.Errorf("%v", err)
	}
	p.end()
}
