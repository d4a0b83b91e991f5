package mcpserver

import "time"

// Arguments are the arguments of a call after the normaliser: only names of the
// schema, each value of its declared type. What was left out is absent; the
// defaults of the schema are not filled in, except where a getter says so.
type Arguments struct {
	values map[string]any
	notes  []string // what the normaliser has to tell the caller
}

// String gives a string argument, or "" when it was left out.
func (a *Arguments) String(name string) string {
	s, _ := a.values[name].(string)
	return s
}

// StringOr gives a string argument, or fallback when it was left out.
func (a *Arguments) StringOr(name, fallback string) string {
	if s, ok := a.values[name].(string); ok {
		return s
	}
	return fallback
}

// Bool gives a boolean argument, or false when it was left out.
func (a *Arguments) Bool(name string) bool {
	b, _ := a.values[name].(bool)
	return b
}

// Int gives an integer argument and whether it was there.
func (a *Arguments) Int(name string) (int64, bool) {
	n, ok := a.values[name].(int64)
	return n, ok
}

// StringMap gives an object argument whose values are strings, nil when it was
// left out.
func (a *Arguments) StringMap(name string) map[string]string {
	m, _ := a.values[name].(map[string]string)
	return m
}

// maxSeconds keeps a timeout within what a time.Duration holds.
const maxSeconds = 1 << 32

// Seconds gives a timeout argument, or fallback when it was left out. A timeout
// is at least one second.
func (a *Arguments) Seconds(name string, fallback time.Duration) (time.Duration, error) {
	n, ok := a.Int(name)
	switch {
	case !ok:
		return fallback, nil
	case n < 1 || n > maxSeconds:
		return 0, invalidArgument("%s must be a whole number of seconds, at least 1; got %d.", name, n)
	}
	return time.Duration(n) * time.Second, nil
}
