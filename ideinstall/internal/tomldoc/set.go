package tomldoc

import (
	"maps"
	"slices"
	"strings"

	"github.com/agentsandbox/agent-sandbox/ideinstall/internal/conf"
)

// Set implements conf.Document. An Object under a missing path becomes a table
// at the end of the file; any other value becomes a line of its table.
func (d *document) Set(path []string, v any) ([]conf.Splice, error) {
	if old, ok := conf.Lookup(d.value, path); ok && conf.Equal(old, v) {
		return nil, nil
	}
	if err := d.checkParents(path); err != nil {
		return nil, err
	}
	if i := d.keyValue(path); i >= 0 {
		st := d.statements[i]
		return []conf.Splice{{Span: conf.Span{Start: st.valueStart, End: st.end}, Text: inline(v)}}, nil
	}
	parent, key := path[:len(path)-1], path[len(path)-1]
	if i := d.keyValue(parent); i >= 0 {
		return d.setInline(i, parent, key, v)
	}
	if first, _, err := d.tableRange(path); err != nil || first >= 0 {
		return nil, d.exists(path, err)
	}
	if o, ok := v.(conf.Object); ok && (len(parent) < 2 || d.header(parent) < 0) {
		return d.appendTable(path, o), nil
	}
	return d.addLine(parent, keyText(key)+" = "+inline(v))
}

func (d *document) exists(path []string, err error) error {
	if err != nil {
		return err
	}
	return &conf.AmbiguousError{Key: strings.Join(path, "."), Reason: "is a table and cannot become a value"}
}

// checkParents refuses a path through something that is not a plain table. Of
// inline tables only the one that holds the last key may be written again, and
// never one at the top of the file: it holds the entries of others.
func (d *document) checkParents(path []string) error {
	for n := 1; n < len(path); n++ {
		v, ok := conf.Lookup(d.value, path[:n])
		if !ok {
			return nil
		}
		if _, ok := v.(map[string]any); !ok {
			return &conf.AmbiguousError{Key: strings.Join(path[:n], "."), Reason: "is not a table"}
		}
		if i := d.keyValue(path[:n]); i >= 0 && (n == 1 || n < len(path)-1) {
			return d.ambiguous(path[:n], i, "is an inline table")
		}
	}
	return nil
}

// appendTable writes a new table after everything else.
func (d *document) appendTable(path []string, o conf.Object) []conf.Splice {
	var b strings.Builder
	if len(d.src) > 0 {
		if d.src[len(d.src)-1] != '\n' {
			b.WriteString(d.newline)
		}
		b.WriteString(d.newline)
	}
	keys := make([]string, len(path))
	for i, k := range path {
		keys[i] = keyText(k)
	}
	b.WriteString("[" + strings.Join(keys, ".") + "]" + d.newline)
	for _, m := range o {
		b.WriteString(keyText(m.Key) + " = " + inline(m.Value) + d.newline)
	}
	return []conf.Splice{insertAt(len(d.src), b.String())}
}

// addLine writes a line after the last one of a table that has a header.
func (d *document) addLine(parent []string, line string) ([]conf.Splice, error) {
	i := d.header(parent)
	if i < 0 {
		return nil, &conf.AmbiguousError{Key: strings.Join(parent, "."), Reason: "has no [table] header"}
	}
	for i+1 < len(d.statements) && d.statements[i+1].kind == keyValue {
		i++
	}
	st := d.statements[i]
	end := len(d.src)
	if nl := strings.IndexByte(string(d.src[st.end:]), '\n'); nl >= 0 {
		return []conf.Splice{insertAt(st.end+nl+1, conf.Indentation(d.src, st.start)+line+d.newline)}, nil
	}
	return []conf.Splice{insertAt(end, d.newline+line)}, nil
}

// setInline writes an inline table again with one key changed. It holds no
// comments, so nothing but its spacing can be lost; it must consist of values
// that this package can write.
func (d *document) setInline(i int, parent []string, key string, v any) ([]conf.Splice, error) {
	o, err := d.inlineObject(i, parent)
	if err != nil {
		return nil, err
	}
	if at := slices.IndexFunc(o, func(m conf.Member) bool { return m.Key == key }); at >= 0 {
		o[at].Value = v
	} else {
		o = append(o, conf.Member{Key: key, Value: v})
	}
	st := d.statements[i]
	return []conf.Splice{{Span: conf.Span{Start: st.valueStart, End: st.end}, Text: inline(o)}}, nil
}

// removeInline is setInline for a removal; nothing when path is not inline.
func (d *document) removeInline(path []string) ([]conf.Splice, error) {
	if len(path) == 0 {
		return nil, nil
	}
	parent, key := path[:len(path)-1], path[len(path)-1]
	i := d.keyValue(parent)
	if _, ok := conf.Lookup(d.value, path); i < 0 || !ok {
		return nil, nil
	}
	o, err := d.inlineObject(i, parent)
	if err != nil {
		return nil, err
	}
	o = slices.DeleteFunc(o, func(m conf.Member) bool { return m.Key == key })
	st := d.statements[i]
	return []conf.Splice{{Span: conf.Span{Start: st.valueStart, End: st.end}, Text: inline(o)}}, nil
}

func (d *document) inlineObject(i int, path []string) (conf.Object, error) {
	v, _ := conf.Lookup(d.value, path)
	m, _ := v.(map[string]any)
	var o conf.Object
	for _, key := range slices.Sorted(maps.Keys(m)) {
		s, ok := m[key].(string)
		if !ok {
			return nil, d.ambiguous(path, i, "is an inline table with more than strings in it")
		}
		o = append(o, conf.Member{Key: key, Value: s})
	}
	return o, nil
}

func insertAt(offset int, text string) conf.Splice {
	return conf.Splice{Span: conf.Span{Start: offset, End: offset}, Text: text}
}
