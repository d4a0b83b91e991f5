package replay

import (
	"cmp"
	"slices"
)

// Unit is one capture, or the captures of one group in the order of their
// steps: what must be played as a whole.
type Unit struct {
	Name  string
	Steps []*Capture
}

// Units puts captures together, in order of the units' names.
func Units(captures []*Capture) []*Unit {
	byName := map[string]*Unit{}
	var units []*Unit
	for _, c := range captures {
		name := cmp.Or(c.Group, c.Name)
		u := byName[name]
		if u == nil {
			u = &Unit{Name: name}
			byName[name] = u
			units = append(units, u)
		}
		u.Steps = append(u.Steps, c)
	}
	for _, u := range units {
		slices.SortFunc(u.Steps, func(a, b *Capture) int { return cmp.Compare(a.Step, b.Step) })
	}
	slices.SortFunc(units, func(a, b *Unit) int { return cmp.Compare(a.Name, b.Name) })
	return units
}
