package mcpserver

import (
	"bufio"
	"errors"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/agentsandbox/agent-sandbox/mcpserver/internal/charset"
)

// readLines gives a range of lines, reading no further than it must.
func (p *filePart) readLines(res *Result, content io.Reader, codec *charset.Codec) (*Result, error) {
	out := res.Structured.(*readFileOutput)
	r := bufio.NewReaderSize(codec.NewReader(content), 64<<10)
	last, err := p.skipLines(r)
	if err != nil {
		return nil, err
	}
	if last < p.first-1 {
		res.notef("The file has %d lines; there is no line %d.", last, p.first)
		return res, nil
	}
	lines, err := p.takeLines(r, out)
	if err != nil {
		return nil, err
	}
	if !utf8.ValidString(out.Content) {
		return nil, errNotText(codec)
	}
	if out.Truncated && lines > 0 {
		res.notef("These are the lines from %d to %d. To read on, pass start_line %d.", p.first, p.first+lines-1, p.first+lines)
	}
	if out.Truncated && lines == 0 {
		res.notef("Line %d is longer than the %d bytes of one call; read it by offset and length.", p.first, maxRead)
	}
	return res, nil
}

// skipLines reads up to the first wanted line and gives how many lines it passed.
func (p *filePart) skipLines(r *bufio.Reader) (passed int64, err error) {
	for passed < p.first-1 {
		part, err := r.ReadSlice('\n')
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
		case err == nil:
			passed++
		case errors.Is(err, io.EOF):
			if len(part) > 0 {
				passed++
			}
			return passed, nil
		default:
			return passed, err
		}
	}
	return passed, nil
}

// takeLines puts whole lines into out, as far as they fit, and gives how many.
// Of a first line that does not fit the beginning is taken.
func (p *filePart) takeLines(r *bufio.Reader, out *readFileOutput) (lines int64, err error) {
	var b strings.Builder
	defer func() { out.Content = b.String() }()
	for p.lines == 0 || lines < p.lines {
		line, err := readLine(r, maxRead-b.Len())
		whole := err == nil || errors.Is(err, io.EOF)
		if whole || errors.Is(err, errLongLine) && lines == 0 {
			b.WriteString(line)
		}
		switch {
		case errors.Is(err, io.EOF):
			return lines, nil
		case errors.Is(err, errLongLine):
			out.Truncated = true
			return lines, nil
		case err != nil:
			return lines, err
		}
		lines++
	}
	_, err = r.Peek(1)
	out.Truncated = err == nil
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return lines, err
}

var errLongLine = errors.New("line does not fit")

// readLine reads a line with its end. Of one longer than most it gives the
// beginning, whole characters, and errLongLine.
func readLine(r *bufio.Reader, most int) (string, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		line = append(line, part...)
		if len(line) > most {
			cut := most
			for cut > 0 && !utf8.RuneStart(line[cut]) {
				cut--
			}
			return string(line[:cut]), errLongLine
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return string(line), err
		}
	}
}
