package sandboxclient

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Output is what was kept of one output stream: its beginning and its end, as
// raw bytes.
type Output struct {
	// Head is the beginning; everything when nothing was dropped.
	Head []byte
	// Tail is the end; empty when nothing was dropped.
	Tail []byte
	// Total counts all bytes, kept or dropped.
	Total int64
}

// Dropped is how many bytes between Head and Tail were not kept.
func (o Output) Dropped() int64 { return o.Total - int64(len(o.Head)) - int64(len(o.Tail)) }

// Truncated reports whether bytes were dropped.
func (o Output) Truncated() bool { return o.Dropped() > 0 }

// Bytes is Head and Tail in one, with nothing in between.
func (o Output) Bytes() []byte {
	if len(o.Tail) == 0 {
		return o.Head
	}
	return append(append(make([]byte, 0, len(o.Head)+len(o.Tail)), o.Head...), o.Tail...)
}

// String is the output as valid UTF-8: bytes that are none become U+FFFD, and
// a line between Head and Tail counts the bytes that are missing.
func (o Output) String() string {
	if !o.Truncated() {
		return strings.ToValidUTF8(string(o.Bytes()), "\uFFFD")
	}
	head := o.Head[:len(o.Head)-incomplete(o.Head)]
	tail := o.Tail
	for len(tail) > 0 && !utf8.RuneStart(tail[0]) {
		tail = tail[1:]
	}
	missing := o.Total - int64(len(head)) - int64(len(tail))
	text := fmt.Sprintf("%s\n[... %d bytes omitted ...]\n%s", head, missing, tail)
	return strings.ToValidUTF8(text, "\uFFFD")
}

// incomplete is how many bytes at the end of b begin a UTF-8 sequence that
// does not end there: 0 to 3.
func incomplete(b []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(b); n++ {
		if tail := b[len(b)-n:]; utf8.RuneStart(tail[0]) {
			if utf8.FullRune(tail) {
				return 0
			}
			return n
		}
	}
	return 0
}

// collector keeps the first and the last bytes written to it, in memory that
// is bounded by its limit.
type collector struct {
	limit int // of head and tail together
	head  []byte
	ring  []byte // the tail; full when its length is its limit
	next  int    // where the oldest byte of a full ring is
	total int64
}

func newCollector(limit int) *collector {
	switch {
	case limit == 0:
		limit = DefaultMaxOutput
	case limit < 0:
		limit = 0
	}
	return &collector{limit: limit}
}

func (c *collector) Write(p []byte) (int, error) {
	c.total += int64(len(p))
	n := len(p)
	if room := c.limit/2 - len(c.head); room > 0 {
		k := min(room, len(p))
		c.head = append(c.head, p[:k]...)
		p = p[k:]
	}
	c.keepTail(p)
	return n, nil
}

func (c *collector) keepTail(p []byte) {
	size := c.limit - c.limit/2
	p = p[max(0, len(p)-size):]
	if room := size - len(c.ring); room > 0 {
		k := min(room, len(p))
		c.ring = append(c.ring, p[:k]...)
		p = p[k:]
	}
	for len(p) > 0 {
		k := copy(c.ring[c.next:], p)
		c.next = (c.next + k) % size
		p = p[k:]
	}
}

// output is what was kept so far; the collector is not written to afterwards.
func (c *collector) output() Output {
	tail := append(append(make([]byte, 0, len(c.ring)), c.ring[c.next:]...), c.ring[:c.next]...)
	if c.total == int64(len(c.head)+len(tail)) {
		return Output{Head: append(c.head, tail...), Total: c.total}
	}
	return Output{Head: c.head, Tail: tail, Total: c.total}
}
