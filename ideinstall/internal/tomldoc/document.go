package tomldoc

import (
	"bytes"
	"slices"
	"strings"

	"github.com/agentsandbox/agent-sandbox/ideinstall/internal/conf"
)

// document is one parsed file.
type document struct {
	src        []byte
	value      map[string]any
	statements []statement
	newline    string
}

// Value implements conf.Document.
func (d *document) Value() any { return d.value }

// Find implements conf.Document. A table spans from its header to its last
// statement, tables below it included when they follow directly.
func (d *document) Find(path []string) (conf.Span, bool) {
	if i := d.keyValue(path); i >= 0 {
		return conf.Span{Start: d.statements[i].start, End: d.statements[i].end}, true
	}
	first, last, err := d.tableRange(path)
	if err != nil {
		return conf.Span{}, false
	}
	if first < 0 {
		return d.findInline(path)
	}
	return conf.Span{Start: d.statements[first].start, End: d.statements[last].end}, true
}

// findInline returns the inline table that holds the last key of path: it is
// written again as a whole when that key changes.
func (d *document) findInline(path []string) (conf.Span, bool) {
	if len(path) == 0 {
		return conf.Span{}, false
	}
	i := d.keyValue(path[:len(path)-1])
	if i < 0 {
		return conf.Span{}, false
	}
	return conf.Span{Start: d.statements[i].start, End: d.statements[i].end}, true
}

// keyValue returns the statement that sets path as a single key of its table.
func (d *document) keyValue(path []string) int {
	return slices.IndexFunc(d.statements, func(st statement) bool {
		return st.kind == keyValue && slices.Equal(slices.Concat(st.table, st.keys), path)
	})
}

// header returns the statement [path], -1 when there is none.
func (d *document) header(path []string) int {
	return slices.IndexFunc(d.statements, func(st statement) bool {
		return st.kind == table && slices.Equal(st.keys, path)
	})
}

// tableRange returns the first and the last statement of the table at path and
// of the tables below it, first < 0 when there are none. They must follow each
// other, and nothing of it may be written in another form.
func (d *document) tableRange(path []string) (first, last int, err error) {
	first, last = -1, -1
	for i, st := range d.statements {
		full := st.keys
		if st.kind == keyValue {
			full = slices.Concat(st.table, st.keys)
		}
		if len(full) < len(path) || !slices.Equal(full[:len(path)], path) {
			continue
		}
		if st.kind == keyValue && len(st.table) < len(path) {
			return 0, 0, d.ambiguous(path, i, "is written as a dotted key or an inline table")
		}
		if first < 0 {
			first = i
		} else if last != i-1 {
			return 0, 0, d.ambiguous(path, i, "is spread over several places")
		}
		last = i
	}
	return first, last, nil
}

func (d *document) ambiguous(path []string, statement int, reason string) error {
	line, _ := conf.Position(d.src, d.statements[statement].start)
	return &conf.AmbiguousError{Key: strings.Join(path, "."), Line: line, Reason: reason}
}

// Remove implements conf.Document. Comments after the last statement belong to
// what follows and stay.
func (d *document) Remove(path []string) ([]conf.Splice, error) {
	if i := d.keyValue(path); i >= 0 {
		return []conf.Splice{d.cutLines(d.statements[i].start, d.statements[i].end)}, nil
	}
	first, last, err := d.tableRange(path)
	if err != nil {
		return nil, err
	}
	if first < 0 {
		return d.removeInline(path)
	}
	cut := d.cutLines(d.statements[first].start, d.statements[last].end)
	cut.Start = d.backOverBlankLine(cut.Start)
	return []conf.Splice{cut}, nil
}

// cutLines cuts whole lines where nothing else stands on them.
func (d *document) cutLines(start, end int) conf.Splice {
	head := bytes.TrimRight(d.src[:start], " \t")
	tail := bytes.TrimLeft(d.src[end:], " \t")
	if len(head) == 0 || head[len(head)-1] == '\n' {
		start = len(head)
	}
	for _, nl := range []string{"\r\n", "\n"} {
		if rest, ok := bytes.CutPrefix(tail, []byte(nl)); ok {
			end = len(d.src) - len(rest)
			break
		}
	}
	return conf.Splice{Span: conf.Span{Start: start, End: end}}
}

// backOverBlankLine includes the empty line that stands before a table.
func (d *document) backOverBlankLine(start int) int {
	for _, nl := range []string{"\r\n", "\n"} {
		head, ok := bytes.CutSuffix(d.src[:start], []byte(nl))
		if ok && (len(head) == 0 || head[len(head)-1] == '\n') {
			return len(head)
		}
	}
	return start
}
