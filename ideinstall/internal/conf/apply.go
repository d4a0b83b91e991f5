package conf

import (
	"bytes"
	"slices"
	"strings"
)

// Result is an edited document.
type Result struct {
	Bytes      []byte
	Value      any  // Bytes, decoded
	Changed    bool // false: Bytes are the source, byte for byte
	DroppedBOM bool
}

var bom = []byte("\xef\xbb\xbf")

// Normalize is the first step of reading: a byte order mark goes, and an empty
// file becomes the format's empty document.
func Normalize(f Format, src []byte) (doc []byte, hadBOM bool) {
	doc, hadBOM = bytes.CutPrefix(src, bom)
	if len(bytes.TrimSpace(doc)) == 0 {
		return f.Blank(), hadBOM
	}
	return doc, hadBOM
}

// Apply runs the operations in order. A file that ends up with the same content
// is returned as it was, even with its byte order mark. Any operation that
// fails leaves nothing done.
func Apply(f Format, src []byte, ops []Op) (*Result, error) {
	base, hadBOM := Normalize(f, src)
	doc, err := f.Parse(base)
	if err != nil {
		return nil, err
	}
	f, cur := f.Dialect(base), base
	for _, op := range ops {
		if cur, doc, err = step(f, cur, doc, op); err != nil {
			return nil, err
		}
	}
	if bytes.Equal(cur, base) {
		return &Result{Bytes: src, Value: doc.Value()}, nil
	}
	return &Result{Bytes: cur, Value: doc.Value(), Changed: true, DroppedBOM: hadBOM}, nil
}

// Fill gives the operation that turns a null on the way to a container into an
// empty object; none when nothing is null.
func Fill(doc Document, container []string) []Op {
	for i := range len(container) + 1 {
		if v, ok := Lookup(doc.Value(), container[:i]); ok && v == nil {
			return []Op{{Path: container[:i], Value: Object{}}}
		}
	}
	return nil
}

// step runs one operation and proves its result.
func step(f Format, src []byte, doc Document, op Op) ([]byte, Document, error) {
	splices, err := op.splices(doc)
	if err != nil || len(splices) == 0 {
		return src, doc, err
	}
	out := splice(src, splices)
	next, err := f.Parse(out)
	if err != nil {
		return nil, nil, &UnsafeEditError{Reason: "the result does not parse: " + err.Error()}
	}
	if err := verify(&edit{op: op, src: src, out: out, before: doc, after: next, splices: splices}); err != nil {
		return nil, nil, err
	}
	return out, next, nil
}

func (op Op) splices(doc Document) ([]Splice, error) {
	if op.Value == nil {
		return doc.Remove(op.Path)
	}
	return doc.Set(op.Path, op.Value)
}

// splice applies splices, which must not overlap, to src.
func splice(src []byte, splices []Splice) []byte {
	sorted := slices.Clone(splices)
	slices.SortStableFunc(sorted, func(a, b Splice) int { return a.Start - b.Start })
	var out []byte
	at := 0
	for _, s := range sorted {
		out = append(out, src[at:s.Start]...)
		out = append(out, s.Text...)
		at = s.End
	}
	return append(out, src[at:]...)
}

// Newline is the line ending of src, taken from its first line.
func Newline(src []byte) string {
	if i := bytes.IndexByte(src, '\n'); i > 0 && src[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// Indentation is the white space at the start of the line that holds offset.
func Indentation(src []byte, offset int) string {
	start := bytes.LastIndexByte(src[:offset], '\n') + 1
	line := string(src[start:offset])
	return line[:len(line)-len(strings.TrimLeft(line, " \t"))]
}
