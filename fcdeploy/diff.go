package fcdeploy

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// Change is one difference between what is and what is wanted. Values of
// environment variables are never in it.
type Change struct {
	Field string `json:"field"`
	Old   string `json:"old"`
	New   string `json:"new"`
}

// String is the change as one line.
func (c Change) String() string {
	return fmt.Sprintf("%s: %s -> %s", c.Field, shown(c.Old), shown(c.New))
}

func shown(text string) string {
	if text == "" {
		return "(none)"
	}
	return text
}

// diffFunction lists what an update would change, the code apart.
func diffFunction(have, want *Function) []Change {
	var changes []Change
	compare := func(field string, old, new any) {
		if a, b := fmt.Sprint(old), fmt.Sprint(new); a != b {
			changes = append(changes, Change{Field: field, Old: a, New: b})
		}
	}
	compare("description", have.Description, want.Description)
	compare("runtime", have.Runtime, want.Runtime)
	compare("handler", have.Handler, want.Handler)
	compare("cpu", have.CPU, want.CPU)
	compare("memory", have.MemoryMB, want.MemoryMB)
	compare("disk", have.DiskMB, want.DiskMB)
	compare("timeout", have.TimeoutSeconds, want.TimeoutSeconds)
	compare("instance concurrency", have.InstanceConcurrency, want.InstanceConcurrency)
	compare("port", have.Port, want.Port)
	compare("command", strings.Join(have.Command, " "), strings.Join(want.Command, " "))
	compare("session affinity", have.Affinity.orNone(), want.Affinity.orNone())
	if !sameJSON(have.AffinityConfig, want.AffinityConfig) {
		compare("session limits", have.AffinityConfig, want.AffinityConfig)
	}
	return append(changes, diffEnvironment(have.Environment, want.Environment)...)
}

func (a Affinity) orNone() Affinity {
	if a == "" {
		return AffinityNone
	}
	return a
}

func diffEnvironment(have, want map[string]string) []Change {
	all := maps.Clone(have)
	if all == nil {
		all = map[string]string{}
	}
	maps.Copy(all, want)
	var changes []Change
	for _, name := range slices.Sorted(maps.Keys(all)) {
		old, had := have[name]
		value, wanted := want[name]
		switch {
		case !had:
			changes = append(changes, Change{Field: "environment " + name, New: "set"})
		case !wanted:
			changes = append(changes, Change{Field: "environment " + name, Old: "set"})
		case old != value:
			changes = append(changes, Change{Field: "environment " + name, Old: "set", New: "another value"})
		}
	}
	return changes
}

// sameJSON compares by meaning. Nothing, {} and text that is not JSON are the
// same nothing.
func sameJSON(a, b string) bool {
	var x, y map[string]any
	_ = json.Unmarshal([]byte(a), &x) // leaves nil
	_ = json.Unmarshal([]byte(b), &y)
	return len(x) == 0 && len(y) == 0 || reflect.DeepEqual(x, y)
}
