package mcpserver

import (
	"context"
	"crypto/rand"
	"fmt"
	"strings"

	"github.com/agentsandbox/agent-sandbox/mcpserver/internal/transcript"
	"github.com/agentsandbox/agent-sandbox/sandboxclient"
)

// scratchDir holds what the server itself puts into a sandbox.
const scratchDir = "/tmp/abx"

// capture follows the output of one run and makes the output fields of its
// result. Close it.
type capture struct {
	progress *progress
	limit    int
	raw      bool
	all      spool
	notes    []string
}

func newCapture(ctx context.Context, s *Session, in *Arguments) *capture {
	return &capture{progress: progressOf(ctx), limit: s.maxOutput, raw: in.Bool("raw")}
}

// kept is how much of each stream to keep on the way here. More than a result
// shows, for control sequences go before it is shortened.
func (c *capture) kept() int { return max(1<<20, 4*c.limit) }

func (c *capture) onBytes(chunk []byte) {
	_, _ = c.all.Write(chunk)
	c.progress.saw(chunk)
}

func (c *capture) onText(chunk string) { c.onBytes([]byte(chunk)) }

// Close forgets the output.
func (c *capture) Close() { _ = c.all.Close() }

// output is the part that results of runs share.
type output struct {
	stdout, stderr string
	truncated      bool
	fullOutput     string
}

// shown makes the output fields; of output that had to be shortened the whole
// is kept in a file of the sandbox.
func (c *capture) shown(ctx context.Context, box *Box, stdout, stderr sandboxclient.Output) *output {
	outText, errText := c.render(stdout, "stdout"), c.render(stderr, "stderr")
	o := &output{
		stdout: outText.String, stderr: errText.String,
		truncated: outText.LeftOut+errText.LeftOut > 0,
	}
	if o.truncated {
		o.fullOutput = c.keepAll(ctx, box)
	}
	return o
}

func (c *capture) render(stream sandboxclient.Output, name string) transcript.Text {
	text := transcript.Render(
		transcript.Raw{Head: stream.Head, Tail: stream.Tail, Dropped: stream.Dropped()},
		transcript.Options{Max: c.limit, Raw: c.raw},
	)
	if text.Invalid > 0 {
		c.notef("%s had %d bytes that are not UTF-8, shown as \ufffd.", name, text.Invalid)
	}
	return text
}

// keepAll writes the whole output, both streams in the order they came, to a
// file of the sandbox and gives its path, or "" and a note.
func (c *capture) keepAll(ctx context.Context, box *Box) string {
	path := scratchDir + "/output-" + strings.ToLower(rand.Text()[:10]) + ".log"
	content, err := c.all.reader()
	if err == nil {
		err = box.Write(ctx, path, content)
	}
	if err != nil {
		c.notef("The output was shortened and the whole could not be kept: %v.", err)
		return ""
	}
	if c.all.cut {
		c.notef("%s holds the first %d bytes of the output; there was more.", path, int64(spoolMost))
	}
	c.notef("The output was shortened in the middle. All of it, stdout and stderr together, is in %s: page through it with read_file and start_line.", path)
	return path
}

func (c *capture) notef(format string, args ...any) {
	c.notes = append(c.notes, fmt.Sprintf(format, args...))
}

// broken adds what a run printed before it broke off to its error.
func (c *capture) broken(err error, stdout, stderr sandboxclient.Output) error {
	if stdout.Total+stderr.Total == 0 {
		return err
	}
	const most = 4 << 10
	excerpt := func(name string, o sandboxclient.Output) string {
		text := transcript.Render(transcript.Raw{Head: o.Head, Tail: o.Tail, Dropped: o.Dropped()}, transcript.Options{Max: most, Raw: c.raw})
		if text.String == "" {
			return ""
		}
		return "\n" + name + " until then:\n" + text.String
	}
	return &brokenRun{err, excerpt("stdout", stdout) + excerpt("stderr", stderr)}
}

// brokenRun is a run that broke off, with the output it had until then.
type brokenRun struct {
	err    error
	output string
}

func (e *brokenRun) Error() string { return e.err.Error() + e.output }
func (e *brokenRun) Unwrap() error { return e.err }
