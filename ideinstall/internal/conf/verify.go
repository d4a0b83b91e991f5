package conf

import (
	"bytes"
	"fmt"
)

// edit is what verify needs to know of one operation.
type edit struct {
	op            Op
	src, out      []byte
	before, after Document
	splices       []Splice
}

// verify is the invariant of the writer. It holds for every edit, beside that the
// result parses in the dialect of the source (strict JSON stays strict):
//   - the decoded result is the decoded source with this one operation done;
//   - every byte that was cut belonged to the member that was replaced or
//     removed, or is white space or a comma: so an insertion keeps all old bytes
//     as a subsequence of the new ones;
//   - a file whose lines all end in CRLF still has no bare LF.
func verify(e *edit) error {
	if err := e.verifyMeaning(); err != nil {
		return err
	}
	if err := e.verifyCuts(); err != nil {
		return err
	}
	if bareLF(e.out) && !bareLF(e.src) && bytes.Contains(e.src, []byte("\r\n")) {
		return &UnsafeEditError{Reason: "CRLF line endings were mixed with LF"}
	}
	return nil
}

func (e *edit) verifyMeaning() error {
	want, err := With(e.before.Value(), e.op)
	if err != nil {
		return &UnsafeEditError{Reason: err.Error()}
	}
	got := e.after.Value()
	if Equal(want, got) || e.op.Value == nil && e.equalButEmptyParents(want, got) {
		return nil
	}
	return &UnsafeEditError{Reason: "the result means something else than intended"}
}

// equalButEmptyParents allows a removal to take the containers that it emptied:
// TOML has no text for a table that exists only through the tables below it.
func (e *edit) equalButEmptyParents(want, got any) bool {
	for n := len(e.op.Path) - 1; n > 0; n-- {
		parent := e.op.Path[:n]
		if m, ok := Lookup(want, parent); !ok || !Equal(m, Object{}) {
			return false
		}
		var err error
		if want, err = With(want, Op{Path: parent}); err != nil {
			return false
		}
		if Equal(want, got) {
			return true
		}
	}
	return false
}

func (e *edit) verifyCuts() error {
	own, found := e.before.Find(e.op.Path)
	cut := 0
	for _, s := range e.splices {
		for i := s.Start; i < s.End; i++ {
			inside := found && own.Start <= i && i < own.End
			if !inside && !bytes.ContainsRune([]byte(" \t\r\n,"), rune(e.src[i])) {
				line, col := Position(e.src, i)
				return &UnsafeEditError{Reason: fmt.Sprintf("it would cut foreign text at line %d, column %d", line, col)}
			}
		}
		cut += s.End - s.Start
	}
	if cut == 0 && !Subsequence(e.src, e.out) {
		return &UnsafeEditError{Reason: "an insertion lost bytes"}
	}
	return nil
}

// Subsequence reports whether all bytes of old occur in new in the same order.
func Subsequence(old, new []byte) bool {
	for _, c := range new {
		if len(old) > 0 && old[0] == c {
			old = old[1:]
		}
	}
	return len(old) == 0
}

func bareLF(b []byte) bool {
	return bytes.Count(b, []byte("\n")) != bytes.Count(b, []byte("\r\n"))
}
