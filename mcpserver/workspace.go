package mcpserver

import (
	"context"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/agentsandbox/agent-sandbox/sandboxclient"
)

const (
	listDepth      = 3   // levels below the working directory that are compared
	maxOutputFiles = 100 // files that a result names
)

// workspace is the working directory of a sandbox as of the last look: what a
// run made there is found by comparing.
type workspace struct {
	started sync.Once
	found   chan struct{} // closed when dir is known
	dir     string        // "" when it could not be found
	first   chan struct{} // closed when the first listing is in

	mu      sync.Mutex
	seen    map[string]stamp
	written map[string]int64 // files that write_file made since, by size
}

// stamp tells one state of a file from another.
type stamp struct {
	size    int64
	changed time.Time
}

// survey looks for the working directory and takes the first listing, once,
// beside whatever else goes on.
func (m *SandboxManager) survey(box *Box) {
	w := &box.files
	w.started.Do(func() {
		w.found, w.first = make(chan struct{}), make(chan struct{})
		started := m.spawn(func() {
			defer close(w.first)
			ctx, cancel := context.WithTimeout(m.ctx, controlDeadline)
			defer cancel()
			w.find(ctx, box)
			_, _ = w.look(ctx, box)
		})
		if !started {
			close(w.found)
			close(w.first)
		}
	})
}

// find asks the sandbox for its working directory.
func (w *workspace) find(ctx context.Context, box *Box) {
	defer close(w.found)
	ran, err := box.Run(ctx, "pwd", &sandboxclient.RunOptions{Timeout: 10 * time.Second})
	if err != nil || ran.ExitCode != 0 {
		return
	}
	printed := strings.TrimSuffix(ran.Stdout.String(), "\n")
	dir := printed[strings.LastIndexByte(printed, '\n')+1:] // a login profile may print too
	if strings.HasPrefix(dir, "/") && dir != "/" {
		w.dir = dir
	}
}

// directory waits for the working directory; "" leaves it to the interpreter.
func (w *workspace) directory(ctx context.Context) string {
	select {
	case <-w.found:
		return w.dir
	case <-ctx.Done():
		return ""
	}
}

// ready waits for the first listing, for else it would hold what comes next.
func (w *workspace) ready(ctx context.Context) {
	select {
	case <-w.first:
	case <-ctx.Done():
	}
}

// wrote takes note of a file that write_file made: the caller knows of it.
func (w *workspace) wrote(name string, size int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.written == nil {
		w.written = map[string]int64{}
	}
	w.written[path.Clean(name)] = size
}

// look lists the directory and gives the regular files that are new or changed
// since the last look, in path order.
func (w *workspace) look(ctx context.Context, box *Box) ([]outputFile, error) {
	if w.dir == "" {
		return []outputFile{}, nil
	}
	entries, err := box.List(ctx, w.dir, listDepth)
	if err != nil {
		return []outputFile{}, err
	}
	changed := w.compare(entries)
	slices.SortFunc(changed, func(a, b outputFile) int { return strings.Compare(a.Path, b.Path) })
	return changed, nil
}

func (w *workspace) compare(entries []*sandboxclient.Entry) []outputFile {
	w.mu.Lock()
	defer w.mu.Unlock()
	changed, now := []outputFile{}, make(map[string]stamp, len(entries))
	for _, e := range entries {
		if e.Type != sandboxclient.EntryFile || e.IsSymlink() {
			continue
		}
		state := stamp{e.Size, e.ModTime}
		now[e.Path] = state
		size, ours := w.written[path.Clean(e.Path)]
		if before, known := w.seen[e.Path]; (!known || before != state) && (!ours || size != e.Size) {
			changed = append(changed, outputFile{Name: e.Name, Path: e.Path, Size: e.Size})
		}
	}
	w.seen, w.written = now, nil
	return changed
}
