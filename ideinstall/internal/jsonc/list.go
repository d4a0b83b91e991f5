package jsonc

import "github.com/tailscale/hujson"

// list is what objects and arrays have in common: items between two brackets,
// separated by commas, with white space and comments anywhere.
type list struct {
	start, end int // the opening bracket, and the byte after the closing one
	items      []item
	array      bool
	trailing   bool // a comma follows the last item
}

type item struct {
	key   string // "" in an array
	start int    // of the key, or of the value in an array
	value *hujson.Value
}

// afterComma is the offset after the comma that follows the item.
func (it *item) afterComma() int { return it.comma() + 1 }

// comma is the offset of the comma that follows the item, if one does.
func (it *item) comma() int { return it.value.EndOffset + len(it.value.AfterExtra) }

// listOf returns the items of a value, nil for a scalar.
func listOf(v *hujson.Value) *list {
	l := &list{start: v.StartOffset, end: v.EndOffset}
	switch c := v.Value.(type) {
	case *hujson.Object:
		for i := range c.Members {
			m := &c.Members[i]
			l.items = append(l.items, item{key: m.Name.Value.(hujson.Literal).String(), start: m.Name.StartOffset, value: &m.Value})
		}
	case *hujson.Array:
		l.array = true
		for i := range c.Elements {
			e := &c.Elements[i]
			l.items = append(l.items, item{start: e.StartOffset, value: e})
		}
	default:
		return nil
	}
	// The parser leaves AfterExtra of the last item nil unless a comma follows.
	if n := len(l.items); n > 0 {
		l.trailing = l.items[n-1].value.AfterExtra != nil
	}
	return l
}
