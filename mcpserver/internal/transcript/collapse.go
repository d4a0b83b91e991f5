package transcript

import (
	"strings"
	"unicode/utf8"
)

const (
	bel = '\a'
	esc = '\x1b'
)

// Collapse shows text as a terminal would leave it: escape sequences and other
// control characters go, a carriage return starts its line anew, so that of a
// progress display the last state stays. It expects valid UTF-8.
func Collapse(s string) string {
	if !strings.ContainsFunc(s, isControl) {
		return s
	}
	c := collapser{}
	c.out.Grow(len(s))
	for len(s) > 0 {
		s = s[c.step(s):]
	}
	c.endLine()
	return c.out.String()
}

// isControl tells whether a character does something instead of being shown.
func isControl(r rune) bool {
	return r < ' ' && r != '\n' && r != '\t' || 0x7f <= r && r < 0xa0
}

type collapser struct {
	out  strings.Builder
	line []byte
	anew bool // a carriage return came; the next character starts the line anew
}

// step takes in one character or one escape sequence and returns its length.
func (c *collapser) step(s string) int {
	r, size := utf8.DecodeRuneInString(s)
	switch {
	case r == '\n':
		c.endLine()
		c.out.WriteByte('\n')
	case r == '\r':
		c.anew = true
	case r == '\b':
		_, last := utf8.DecodeLastRune(c.line)
		c.line = c.line[:len(c.line)-last]
	case r == esc:
		return c.escape(s)
	case !isControl(r):
		c.show(s[:size])
	}
	return size
}

func (c *collapser) show(char string) {
	if c.anew {
		c.line, c.anew = c.line[:0], false
	}
	c.line = append(c.line, char...)
}

func (c *collapser) endLine() {
	c.out.Write(c.line)
	c.line, c.anew = c.line[:0], false
}

// escape skips an escape sequence (ECMA-48) and returns its length.
func (c *collapser) escape(s string) int {
	if len(s) < 2 {
		return len(s)
	}
	switch s[1] {
	case '[':
		return c.control(s)
	case ']', 'P', 'X', '^', '_':
		return stringEnd(s)
	}
	n := 1
	for n < len(s) && s[n] >= ' ' && s[n] <= '/' {
		n++
	}
	if n < len(s) && s[n] > '/' && s[n] < 0x7f {
		n++
	}
	return n
}

// control skips a control sequence; the one that erases the line does so.
func (c *collapser) control(s string) int {
	n := 2
	for n < len(s) && s[n] >= ' ' && s[n] <= '?' {
		n++
	}
	if n == len(s) || s[n] < '@' || s[n] > '~' {
		return n
	}
	if s[2:n+1] == "2K" {
		c.line = c.line[:0]
	}
	return n + 1
}

// stringEnd skips a string sequence, such as the one that sets a window title:
// up to BEL or ESC \, but never past the line.
func stringEnd(s string) int {
	for n := 2; n < len(s); n++ {
		switch {
		case s[n] == bel:
			return n + 1
		case s[n] == esc && strings.HasPrefix(s[n:], "\x1b\\"):
			return n + 2
		case s[n] == esc, s[n] == '\n':
			return n
		}
	}
	return len(s)
}
