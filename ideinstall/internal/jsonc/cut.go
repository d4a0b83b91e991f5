package jsonc

import (
	"bytes"

	"github.com/agentsandbox/agent-sandbox/ideinstall/internal/conf"
)

// cut removes item i of a list together with one comma: its own, or the previous
// item's when it is the last without one. Comments stay.
func (d *document) cut(l *list, i int) []conf.Splice {
	it := &l.items[i]
	hasComma := i < len(l.items)-1 || l.trailing
	end := it.value.EndOffset
	var splices []conf.Splice
	switch {
	case hasComma && len(bytes.TrimSpace(it.value.AfterExtra)) == 0:
		end = it.afterComma()
	case hasComma:
		splices = append(splices, cutSpan(it.comma(), it.afterComma()))
	case i > 0:
		prev := &l.items[i-1]
		splices = append(splices, cutSpan(prev.comma(), prev.afterComma()))
	}
	if len(l.items) == 1 && d.blankAround(l, it.start, end) {
		return append(splices, cutSpan(l.start+1, l.end-1))
	}
	start, end := d.widen(it.start, end, l.end-1)
	return append(splices, cutSpan(start, end))
}

// blankAround reports whether a list holds nothing but white space beside
// [start, end).
func (d *document) blankAround(l *list, start, end int) bool {
	return len(bytes.TrimSpace(d.src[l.start+1:start])) == 0 &&
		len(bytes.TrimSpace(d.src[end:l.end-1])) == 0
}

// widen takes the white space that goes with a cut: the whole line when the item
// has its lines for itself, else the blanks that separate it from what follows.
func (d *document) widen(start, end, limit int) (int, int) {
	next := end
	for next < limit && (d.src[next] == ' ' || d.src[next] == '\t') {
		next++
	}
	lineEnds := next < len(d.src) && (d.src[next] == '\n' || d.src[next] == '\r')
	if !d.onOwnLine(start) || !lineEnds {
		if d.src[next] == '}' || d.src[next] == ']' {
			return d.backOverBlanks(start), end
		}
		return start, next
	}
	start = d.backOverBlanks(start) - 1
	if start > 0 && d.src[start-1] == '\r' {
		start--
	}
	return start, next
}

func (d *document) backOverBlanks(i int) int {
	for i > 0 && (d.src[i-1] == ' ' || d.src[i-1] == '\t') {
		i--
	}
	return i
}

func cutSpan(start, end int) conf.Splice {
	return conf.Splice{Span: conf.Span{Start: start, End: end}}
}
