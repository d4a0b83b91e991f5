package conf

import (
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
)

// With returns the decoded document root as it must be once op is done. root is
// left alone.
func With(root any, op Op) (any, error) {
	return with(root, op.Path, plain(op.Value))
}

func with(node any, path []string, v any) (any, error) {
	if len(path) == 0 {
		return v, nil
	}
	if list, ok := node.([]any); ok {
		return withElement(list, path, v)
	}
	m, ok := node.(map[string]any)
	if !ok && node != nil {
		return nil, fmt.Errorf("%q is not inside a mapping", path[0])
	}
	child, has := m[path[0]]
	if v == nil && !has {
		return node, nil
	}
	m = maps.Clone(m)
	if m == nil {
		m = map[string]any{}
	}
	if v == nil && len(path) == 1 {
		delete(m, path[0])
		return m, nil
	}
	if child == nil && len(path) > 1 && path[1] == "-" {
		child = []any{}
	}
	next, err := with(child, path[1:], v)
	m[path[0]] = next
	return m, err
}

func withElement(list []any, path []string, v any) (any, error) {
	if path[0] == "-" {
		next, err := with(nil, path[1:], v)
		return append(slices.Clone(list), next), err
	}
	i, err := strconv.Atoi(path[0])
	if err != nil || i < 0 || i >= len(list) {
		return nil, fmt.Errorf("no element %q in a list of %d", path[0], len(list))
	}
	if v == nil && len(path) == 1 {
		return slices.Delete(slices.Clone(list), i, i+1), nil
	}
	list = slices.Clone(list)
	list[i], err = with(list[i], path[1:], v)
	return list, err
}

// Lookup returns the value at path in a decoded document.
func Lookup(node any, path []string) (any, bool) {
	for _, key := range path {
		m, ok := node.(map[string]any)
		if !ok {
			return nil, false
		}
		if node, ok = m[key]; !ok {
			return nil, false
		}
	}
	return node, true
}

// plain turns a value of an Op into what a decoder would have given.
func plain(v any) any {
	switch v := v.(type) {
	case Object:
		m := make(map[string]any, len(v))
		for _, member := range v {
			m[member.Key] = plain(member.Value)
		}
		return m
	case []string:
		list := make([]any, len(v))
		for i, s := range v {
			list[i] = s
		}
		return list
	}
	return v
}

// Equal compares decoded values, or a decoded value with one of an Op. Numbers
// are equal by their digits, and NaN, which TOML has, equals itself.
func Equal(a, b any) bool {
	a, b = plain(a), plain(b)
	switch x := a.(type) {
	case map[string]any:
		y, ok := b.(map[string]any)
		return ok && maps.EqualFunc(x, y, Equal)
	case []any:
		y, ok := b.([]any)
		return ok && slices.EqualFunc(x, y, Equal)
	case float64:
		y, ok := b.(float64)
		return ok && (x == y || math.IsNaN(x) && math.IsNaN(y))
	}
	return reflect.DeepEqual(a, b)
}
