package jsonc

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/agentsandbox/agent-sandbox/ideinstall/internal/conf"
)

// style is how a whole file is written.
type style struct{ newline, unit string }

// styleOf reads the line ending and the indentation of the first member that
// stands indented on a line of its own; two spaces when there is none.
func styleOf(src []byte) style {
	s := style{newline: conf.Newline(src), unit: "  "}
	for line := range bytes.Lines(src) {
		text := bytes.TrimLeft(line, " \t")
		if len(text) < len(line) && len(text) > 0 && text[0] == '"' {
			s.unit = string(line[:len(line)-len(text)])
			break
		}
	}
	return s
}

// renderer writes new values in the style of their surroundings.
type renderer struct {
	newline, unit string
	inline        bool
	space         string // after a colon or comma of an inline object
}

// rendererFor takes the unit from the list itself when its members are indented
// deeper than it is, else from the file.
func (d *document) rendererFor(l *list) *renderer {
	r := &renderer{newline: d.style.newline, unit: d.style.unit, space: " "}
	if len(l.items) == 0 {
		return r
	}
	first := l.items[0].start
	if !d.onOwnLine(first) {
		r.inline = true
		if !d.spaced(&l.items[0]) {
			r.space = ""
		}
		return r
	}
	inner, outer := conf.Indentation(d.src, first), conf.Indentation(d.src, l.start)
	if unit, ok := strings.CutPrefix(inner, outer); ok && unit != "" {
		r.unit = unit
	}
	return r
}

// member writes `"key": value`, or the value alone for the key "-" of a list.
func (r *renderer) member(key string, v any, indent string) string {
	if key == "-" {
		return r.value(v, indent)
	}
	return quote(key) + ":" + r.space + r.value(v, indent)
}

func (r *renderer) value(v any, indent string) string {
	switch v := v.(type) {
	case conf.Object:
		return r.object(v, indent)
	case []any:
		return r.array(v, indent)
	case []string:
		items := make([]string, len(v))
		for i, s := range v {
			items[i] = quote(s)
		}
		return "[" + strings.Join(items, ","+r.space) + "]"
	case bool:
		if v {
			return "true"
		}
		return "false"
	case string:
		return quote(v)
	}
	panic("jsonc: a value of an unknown type") // Op lists the types
}

func (r *renderer) object(o conf.Object, indent string) string {
	if len(o) == 0 {
		return "{}"
	}
	parts := make([]string, len(o))
	for i, m := range o {
		parts[i] = r.member(m.Key, m.Value, indent+r.unit)
	}
	return r.bracket("{", parts, "}", indent)
}

func (r *renderer) array(list []any, indent string) string {
	parts := make([]string, len(list))
	for i, v := range list {
		parts[i] = r.value(v, indent+r.unit)
	}
	return r.bracket("[", parts, "]", indent)
}

func (r *renderer) bracket(open string, parts []string, closing, indent string) string {
	if r.inline {
		return open + strings.Join(parts, ","+r.space) + closing
	}
	line := r.newline + indent + r.unit
	return open + line + strings.Join(parts, ","+line) + r.newline + indent + closing
}

// quote writes a JSON string without escaping <, > and &.
func quote(s string) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(s); err != nil {
		panic(err) // a string always encodes
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// Compact writes a value of an Op as JSON without white space.
func Compact(v any) string {
	r := &renderer{inline: true}
	return r.value(v, "")
}
