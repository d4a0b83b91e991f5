package sandboxclient

import (
	"bytes"
	"strconv"
)

// markStripper passes a stream on without the mark that wrap prints. The mark
// may arrive cut into any number of chunks. What follows it was printed by
// processes that the shell left behind and is dropped.
type markStripper struct {
	prefix []byte // nil: there is no mark to look for
	held   []byte // what may be the beginning of the mark
	ended  bool
	code   int // exit code, once ended
}

func newMarkStripper(id string) *markStripper {
	return &markStripper{prefix: append([]byte{markerByte}, id+":"...)}
}

// maxMarkDigits bounds the digits of an exit code: 0 to 255.
const maxMarkDigits = 3

// write gives the visible part of p to emit, in one or two pieces.
func (m *markStripper) write(p []byte, emit func([]byte)) {
	if m.ended {
		return
	}
	if len(m.held) > 0 {
		p = append(m.held, p...)
		m.held = nil
	}
	visible := len(p)
	for i := 0; m.prefix != nil; i++ {
		k := bytes.IndexByte(p[i:], markerByte)
		if k < 0 {
			break
		}
		i += k
		if match := m.match(p[i:]); match != noMark {
			visible = i
			if match == partOfMark {
				m.held = bytes.Clone(p[i:])
			}
			break
		}
	}
	if visible > 0 {
		emit(p[:visible])
	}
}

// flush emits what was held back at the end of the stream.
func (m *markStripper) flush(emit func([]byte)) {
	if len(m.held) > 0 && !m.ended {
		emit(m.held)
	}
	m.held = nil
}

type markMatch int

const (
	noMark markMatch = iota
	partOfMark
	wholeMark
)

// match compares p, which begins with markerByte, with the mark.
func (m *markStripper) match(p []byte) markMatch {
	if len(p) < len(m.prefix) {
		if bytes.HasPrefix(m.prefix, p) {
			return partOfMark
		}
		return noMark
	}
	rest, ok := bytes.CutPrefix(p, m.prefix)
	if !ok {
		return noMark
	}
	digits, _, closed := bytes.Cut(rest, []byte{markerByte})
	code, err := strconv.ParseUint(string(digits), 10, 8)
	switch {
	case closed && err == nil:
		m.ended, m.code = true, int(code)
		return wholeMark
	case !closed && len(digits) <= maxMarkDigits && (err == nil || len(digits) == 0):
		return partOfMark
	default:
		return noMark
	}
}
