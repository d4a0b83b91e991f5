// Package iostreams carries a command's standard streams and what is known of
// the terminal behind them, so that commands never reach for os.Stdout and
// tests see every byte.
package iostreams

import (
	"bytes"
	"io"
	"os"

	"golang.org/x/term"
)

// defaultWidth is assumed where no terminal tells its own, in columns.
const defaultWidth = 80

// IOStreams is what a command reads from and writes to.
type IOStreams struct {
	In     io.ReadCloser
	Out    io.Writer
	ErrOut io.Writer

	inTTY, outTTY, errTTY bool
	color                 bool
	width                 func() int
}

// System returns the process's own streams. Colour is off where NO_COLOR is
// set (https://no-color.org), TERM is "dumb" or output is not a terminal.
func System() *IOStreams {
	out := int(os.Stdout.Fd())
	ios := &IOStreams{
		In: os.Stdin, Out: os.Stdout, ErrOut: os.Stderr,
		inTTY: term.IsTerminal(int(os.Stdin.Fd())), outTTY: term.IsTerminal(out), errTTY: term.IsTerminal(int(os.Stderr.Fd())),
		width: func() int { return terminalWidth(out) },
	}
	ios.color = ios.outTTY && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
	return ios
}

// Test returns streams over buffers, none of them a terminal.
func Test() (ios *IOStreams, in, out, errOut *bytes.Buffer) {
	in, out, errOut = &bytes.Buffer{}, &bytes.Buffer{}, &bytes.Buffer{}
	return &IOStreams{In: io.NopCloser(in), Out: out, ErrOut: errOut}, in, out, errOut
}

// IsInputTTY says whether a person may be asked.
func (s *IOStreams) IsInputTTY() bool { return s.inTTY }

// IsOutputTTY says whether output is read by a person.
func (s *IOStreams) IsOutputTTY() bool { return s.outTTY }

// IsErrorTTY says whether progress may be drawn on ErrOut.
func (s *IOStreams) IsErrorTTY() bool { return s.errTTY }

// CanPrompt says whether a question would be seen and could be answered.
func (s *IOStreams) CanPrompt() bool { return s.inTTY && s.errTTY }

// ColorEnabled says whether output may carry ANSI colours.
func (s *IOStreams) ColorEnabled() bool { return s.color }

// TerminalWidth is the width of the output terminal in columns.
func (s *IOStreams) TerminalWidth() int {
	if s.width == nil {
		return defaultWidth
	}
	return s.width()
}

// SetTTY makes test streams look like a terminal, or not.
func (s *IOStreams) SetTTY(in, out, errOut bool) { s.inTTY, s.outTTY, s.errTTY = in, out, errOut }

func terminalWidth(fd int) int {
	if w, _, err := term.GetSize(fd); err == nil && w > 0 {
		return w
	}
	return defaultWidth
}
