package filesystem_test

import (
	"context"
	"fmt"
	"os"
	"slices"
	"testing"
	"time"

	"connectrpc.com/connect"

	wire "github.com/agentsandbox/agent-sandbox/sandboxclient/envd/filesystem"
)

// follow starts a watch and returns its events as "TYPE name" lines.
func (b *bench) follow(req *wire.WatchDirRequest) <-chan string {
	b.t.Helper()
	ctx, cancel := context.WithCancel(b.ctx)
	b.t.Cleanup(cancel)
	s, err := b.WatchDir(ctx, req)
	if err != nil {
		b.t.Fatal(err)
	}
	if !s.Receive() || s.Msg().GetStart() == nil {
		b.t.Fatalf("no start event: %v", s.Err())
	}
	lines := make(chan string, 10_000)
	go func() {
		defer close(lines)
		for s.Receive() {
			if ev := s.Msg().GetFilesystem(); ev != nil {
				lines <- line(ev)
			}
		}
	}()
	return lines
}

func line(ev *wire.FilesystemEvent) string {
	return fmt.Sprint(ev.GetType().String()[len("EVENT_TYPE_"):], " ", ev.GetName())
}

// until reads events up to the wanted one and returns all of them.
func until(t *testing.T, lines <-chan string, want string) []string {
	t.Helper()
	var seen []string
	for {
		select {
		case got, ok := <-lines:
			if !ok {
				t.Fatalf("stream ended before %q: %q", want, seen)
			}
			if seen = append(seen, got); got == want {
				return seen
			}
		case <-time.After(20 * time.Second):
			t.Fatalf("no %q in %q", want, seen)
		}
	}
}

func TestWatchDirNamesWhatHappens(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	lines := b.follow(&wire.WatchDirRequest{Path: "~"})
	b.write("f", "x")
	until(t, lines, "CREATE f")
	until(t, lines, "WRITE f")
	if err := os.Chmod(b.path("f"), 0o600); err != nil {
		t.Fatal(err)
	}
	until(t, lines, "CHMOD f")
	if err := os.Rename(b.path("f"), b.path("g")); err != nil {
		t.Fatal(err)
	}
	until(t, lines, "RENAME f")
	until(t, lines, "CREATE g")
	if err := os.Remove(b.path("g")); err != nil {
		t.Fatal(err)
	}
	until(t, lines, "REMOVE g")
}

func TestWatchDirWithoutRecursionStaysAtTheTop(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.write("sub/old", "")
	lines := b.follow(&wire.WatchDirRequest{Path: "~"})
	b.write("sub/new", "")
	b.write("mark", "")
	if seen := until(t, lines, "CREATE mark"); slices.Contains(seen, "CREATE sub/new") {
		t.Errorf("events of a subdirectory: %q", seen)
	}
}

func TestRecursiveWatchMissesNothingInNewDirectories(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	lines := b.follow(&wire.WatchDirRequest{Path: "~", Recursive: true})
	const dirs, files = 20, 10
	for d := range dirs { // faster than anybody could add watches
		for f := range files {
			b.write(fmt.Sprintf("d%d/in/f%d", d, f), "x")
		}
	}
	b.write("mark", "")
	seen := map[string]int{}
	for _, l := range until(t, lines, "CREATE mark") {
		seen[l]++
	}
	// The last directory may be scanned after the mark.
	for len(seen) < dirs*(files+2)+1 {
		select {
		case l := <-lines:
			seen[l]++
		case <-time.After(5 * time.Second):
			t.Fatalf("%d different events", len(seen))
		}
	}
	for d := range dirs {
		for f := range files {
			if name := fmt.Sprintf("CREATE d%d/in/f%d", d, f); seen[name] != 1 {
				t.Errorf("%s: %d times", name, seen[name])
			}
		}
	}
}

func TestRecursiveWatchForgetsWhatWasMovedAway(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	outside := t.TempDir()
	b.write("sub/f", "")
	lines := b.follow(&wire.WatchDirRequest{Path: "~", Recursive: true})
	if err := os.Rename(b.path("sub"), outside+"/sub"); err != nil {
		t.Fatal(err)
	}
	until(t, lines, "RENAME sub")
	if err := os.WriteFile(outside+"/sub/secret", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	b.write("mark", "")
	if seen := until(t, lines, "CREATE mark"); len(seen) != 1 {
		t.Errorf("told twice, or events from elsewhere: %q", seen)
	}
}

func TestWatchEndsAtTheDeadline(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	ctx, cancel := context.WithTimeout(b.ctx, 100*time.Millisecond)
	defer cancel()
	s, err := b.WatchDir(ctx, &wire.WatchDirRequest{Path: "~"})
	if err == nil {
		for s.Receive() {
		}
		err = s.Err()
	}
	codeIs(t, err, connect.CodeDeadlineExceeded, "")
}

func TestPollingWatcher(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	made, err := b.CreateWatcher(b.ctx, &wire.CreateWatcherRequest{Path: "~", IncludeEntry: true})
	if err != nil {
		t.Fatal(err)
	}
	id := made.GetWatcherId()
	if len(id) != 21 || id[0] != 'w' {
		t.Errorf("id %q, want w and 20 characters", id)
	}
	b.write("f", "hello")
	entry := b.poll(id, func(ev *wire.FilesystemEvent) bool { return line(ev) == "CREATE f" }).GetEntry()
	if entry.GetPath() != b.path("f") || entry.GetType() != wire.FileType_FILE_TYPE_FILE {
		t.Errorf("entry %v", entry)
	}
	if _, err := b.RemoveWatcher(b.ctx, &wire.RemoveWatcherRequest{WatcherId: id}); err != nil {
		t.Fatal(err)
	}
	_, err = b.GetWatcherEvents(b.ctx, &wire.GetWatcherEventsRequest{WatcherId: id})
	codeIs(t, err, connect.CodeNotFound, "watcher with id "+id+" not found")
}

// poll asks for events until a wanted one comes.
func (b *bench) poll(id string, wanted func(*wire.FilesystemEvent) bool) *wire.FilesystemEvent {
	b.t.Helper()
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		res, err := b.GetWatcherEvents(b.ctx, &wire.GetWatcherEventsRequest{WatcherId: id})
		if err != nil {
			b.t.Fatal(err)
		}
		for _, ev := range res.GetEvents() {
			if wanted(ev) {
				return ev
			}
		}
	}
	b.t.Fatal("the event did not come")
	return nil
}

func TestCloseEndsWatchers(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	if _, err := b.CreateWatcher(b.ctx, &wire.CreateWatcherRequest{Path: "~", Recursive: true}); err != nil {
		t.Fatal(err)
	}
	b.svc.Close()
	_, err := b.CreateWatcher(b.ctx, &wire.CreateWatcherRequest{Path: "~"})
	codeIs(t, err, connect.CodeUnavailable, "shutting down")
}
