// Package transcript turns the raw bytes of a run into text for a model: valid
// UTF-8, without terminal control, and short enough.
package transcript

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Raw is one output stream. Between Head and Tail, Dropped bytes are missing.
type Raw struct {
	Head, Tail []byte
	Dropped    int64
}

// Options says how to render.
type Options struct {
	// Max is the most bytes of text to keep, without the mark of a gap.
	Max int
	// Raw keeps escape sequences, carriage returns and control characters.
	Raw bool
}

// Text is a rendered stream.
type Text struct {
	String string
	// LeftOut counts the bytes missing between head and tail.
	LeftOut int64
	// Invalid counts the bytes that were not UTF-8; U+FFFD stands for them.
	Invalid int
}

// Render makes text of a stream.
func Render(raw Raw, opts Options) Text {
	var out Text
	if raw.Dropped == 0 {
		whole := slices.Concat(raw.Head, raw.Tail)
		out.fit(out.clean(whole, opts), "", 0, opts.Max)
		return out
	}
	head := out.clean(trimEnd(raw.Head), opts)
	tail := out.clean(trimStart(raw.Tail), opts)
	out.fit(head, tail, raw.Dropped, opts.Max)
	return out
}

func (t *Text) clean(data []byte, opts Options) string {
	s := t.valid(data)
	if opts.Raw {
		return s
	}
	return Collapse(s)
}

// fit joins head and tail, or shortens them around a mark that counts the gap.
func (t *Text) fit(head, tail string, dropped int64, limit int) {
	whole := head + tail
	if dropped == 0 && len(whole) <= limit {
		t.String = whole
		return
	}
	if dropped == 0 {
		tail = head
	}
	before := firstBytes(head, limit/2)
	after := lastBytes(tail, limit-limit/2)
	t.LeftOut = dropped + int64(len(whole)-len(before)-len(after))
	t.String = before + gap(t.LeftOut) + after
}

func gap(n int64) string { return fmt.Sprintf("\n[... %d bytes left out ...]\n", n) }

// valid replaces what is not UTF-8 and counts it.
func (t *Text) valid(data []byte) string {
	if utf8.Valid(data) {
		return string(data)
	}
	var b strings.Builder
	b.Grow(len(data) + utf8.UTFMax)
	for len(data) > 0 {
		r, size := utf8.DecodeRune(data)
		if r == utf8.RuneError && size == 1 {
			t.Invalid++
		}
		b.WriteRune(r)
		data = data[size:]
	}
	return b.String()
}

// firstBytes is the longest start of s, at most n bytes, that splits no character.
func firstBytes(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// lastBytes is the longest end of s, at most n bytes, that splits no character.
func lastBytes(s string, n int) string {
	start := len(s) - n
	if start <= 0 {
		return s
	}
	for start < len(s) && !utf8.RuneStart(s[start]) {
		start++
	}
	return s[start:]
}

// trimEnd takes off the part of a character that a cut at the end left.
func trimEnd(data []byte) []byte {
	for back := 1; back < utf8.UTFMax && back <= len(data); back++ {
		last := data[len(data)-back:]
		if !utf8.RuneStart(last[0]) {
			continue
		}
		if !utf8.FullRune(last) {
			return data[:len(data)-back]
		}
		break
	}
	return data
}

// trimStart takes off the rest of a character that a cut at the start left.
func trimStart(data []byte) []byte {
	n := 0
	for n < len(data) && n < utf8.UTFMax-1 && !utf8.RuneStart(data[n]) {
		n++
	}
	return data[n:]
}
