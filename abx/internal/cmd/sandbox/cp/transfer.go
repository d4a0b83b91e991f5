package cp

import (
	"crypto/rand"
	"fmt"
	"io"

	"github.com/agentsandbox/agent-sandbox/abx/internal/iostreams"
	"github.com/agentsandbox/agent-sandbox/sandboxclient"
)

// transfer copies between this machine and one sandbox, and counts.
type transfer struct {
	io      *iostreams.IOStreams
	sandbox *sandboxclient.Sandbox
	user    string

	files   int
	bytes   int64
	skipped []string
}

// Summary is the JSON output.
type Summary struct {
	Files   int      `json:"files"`
	Bytes   int64    `json:"bytes"`
	Skipped []string `json:"skipped"` // links and special files
}

func (t *transfer) summary() *Summary {
	skipped := t.skipped
	if skipped == nil {
		skipped = []string{}
	}
	return &Summary{Files: t.files, Bytes: t.bytes, Skipped: skipped}
}

// skip leaves a path out, and says so.
func (t *transfer) skip(path, why string) {
	t.skipped = append(t.skipped, path)
	fmt.Fprintf(t.io.ErrOut, "abx: left out %s: %s\n", path, why)
}

// copied counts a file.
func (t *transfer) copied(n int64) {
	t.files++
	t.bytes += n
}

// watch lets r be read with its progress shown at a terminal.
func (t *transfer) watch(r io.Reader, name string, size int64) (io.Reader, func()) {
	if !t.io.IsErrorTTY() {
		return r, func() {}
	}
	p := &progress{out: t.io.ErrOut, width: t.io.TerminalWidth(), name: name, size: size}
	return io.TeeReader(r, p), p.done
}

// partial is the name that a file has until it is complete.
func partial(name string) string { return name + ".abx-" + rand.Text()[:8] }
