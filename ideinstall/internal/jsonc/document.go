package jsonc

import (
	"strconv"

	"github.com/tailscale/hujson"

	"github.com/agentsandbox/agent-sandbox/ideinstall/internal/conf"
)

// document is one parsed file.
type document struct {
	src   []byte
	root  *hujson.Value
	value any
	style style
}

// Value implements conf.Document.
func (d *document) Value() any { return d.value }

// Find implements conf.Document.
func (d *document) Find(path []string) (conf.Span, bool) {
	if len(path) == 0 {
		return conf.Span{Start: d.root.StartOffset, End: d.root.EndOffset}, true
	}
	at, err := d.walk(path)
	if err != nil || len(at.rest) > 0 {
		return conf.Span{}, false
	}
	it := at.items[at.index]
	return conf.Span{Start: it.start, End: it.value.EndOffset}, true
}

// Set implements conf.Document.
func (d *document) Set(path []string, v any) ([]conf.Splice, error) {
	if len(path) == 0 {
		return d.setRoot(v), nil
	}
	at, err := d.walk(path)
	if err != nil {
		return nil, err
	}
	if len(at.rest) > 0 {
		return d.insert(at.list, at.rest[0], wrap(at.rest[1:], v)), nil
	}
	it := at.items[at.index]
	if old, ok := conf.Lookup(d.value, path); ok && conf.Equal(old, v) {
		return nil, nil
	}
	r := d.rendererFor(at.list)
	return []conf.Splice{{
		Span: conf.Span{Start: it.value.StartOffset, End: it.value.EndOffset},
		Text: r.value(v, conf.Indentation(d.src, it.start)),
	}}, nil
}

func (d *document) setRoot(v any) []conf.Splice {
	r := &renderer{newline: d.style.newline, unit: d.style.unit, space: " "}
	return []conf.Splice{{
		Span: conf.Span{Start: d.root.StartOffset, End: d.root.EndOffset},
		Text: r.value(v, ""),
	}}
}

// Remove implements conf.Document.
func (d *document) Remove(path []string) ([]conf.Splice, error) {
	at, err := d.walk(path)
	if err != nil || len(at.rest) > 0 {
		return nil, err
	}
	return d.cut(at.list, at.index), nil
}

// wrap builds the containers that a path lacks around v.
func wrap(path []string, v any) any {
	for i := len(path) - 1; i >= 0; i-- {
		if path[i] == "-" {
			v = []any{v}
		} else {
			v = conf.Object{{Key: path[i], Value: v}}
		}
	}
	return v
}

// place is where a path leads: to items[index] when rest is empty, else to a
// list that has no member rest[0].
type place struct {
	*list
	index int
	rest  []string
}

func (d *document) walk(path []string) (*place, error) {
	v, key := d.root, "the document"
	for i, step := range path {
		l := listOf(v)
		if l == nil || l.array && !isIndex(step) {
			return nil, d.notAContainer(v, key)
		}
		at, err := d.indexOf(l, step)
		if err != nil {
			return nil, err
		}
		switch {
		case at < 0:
			return &place{list: l, rest: path[i:]}, nil
		case i == len(path)-1:
			return &place{list: l, index: at}, nil
		}
		v, key = l.items[at].value, step
	}
	return nil, d.notAContainer(v, key)
}

func (d *document) notAContainer(v *hujson.Value, key string) error {
	line, _ := conf.Position(d.src, v.StartOffset)
	return &conf.AmbiguousError{Key: key, Line: line, Reason: "is not an object"}
}

// isIndex reports whether a step leads into an array.
func isIndex(step string) bool {
	n, err := strconv.Atoi(step)
	return step == "-" || err == nil && n >= 0
}

// indexOf finds a step in a list, -1 when it is not there. A key that occurs
// twice is refused: parsers disagree on which one counts.
func (d *document) indexOf(l *list, step string) (int, error) {
	if l.array {
		if i, err := strconv.Atoi(step); err == nil && i < len(l.items) {
			return i, nil
		}
		return -1, nil
	}
	found := -1
	for i, it := range l.items {
		if it.key != step {
			continue
		}
		if found >= 0 {
			line, _ := conf.Position(d.src, it.start)
			return 0, &conf.AmbiguousError{Key: step, Line: line, Reason: "occurs twice"}
		}
		found = i
	}
	return found, nil
}
