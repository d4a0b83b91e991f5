package sandboxclient

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

const testRunID = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

func strip(chunks ...string) (visible string, m *markStripper) {
	m = newMarkStripper(testRunID)
	var out bytes.Buffer
	emit := func(p []byte) { out.Write(p) }
	for _, c := range chunks {
		m.write([]byte(c), emit)
	}
	m.flush(emit)
	return out.String(), m
}

func TestMarkIsStripped(t *testing.T) {
	t.Parallel()
	mark := func(code string) string { return "\x1e" + testRunID + ":" + code + "\x1e" }
	for name, test := range map[string]struct {
		in      string
		visible string
		code    int // -1: no end
	}{
		"alone":                {mark("0"), "", 0},
		"after output":         {"abc" + mark("255"), "abc", 255},
		"before other output":  {"abc" + mark("1") + "later", "abc", 1},
		"none":                 {"abc", "abc", -1},
		"separator bytes":      {"\x1e\x1ea\x1e" + mark("2"), "\x1e\x1ea\x1e", 2},
		"half, then whole":     {"\x1e" + testRunID + mark("3"), "\x1e" + testRunID, 3},
		"another command's":    {"\x1eZZZZZZZZZZZZZZZZZZZZZZZZZZ:0\x1e", "\x1eZZZZZZZZZZZZZZZZZZZZZZZZZZ:0\x1e", -1},
		"too many digits":      {mark("1234"), mark("1234"), -1},
		"code out of range":    {mark("300"), mark("300"), -1},
		"no digits":            {mark(""), mark(""), -1},
		"no number":            {mark("a"), mark("a"), -1},
		"unfinished":           {"a\x1e" + testRunID + ":1", "a\x1e" + testRunID + ":1", -1},
		"two, the first holds": {mark("1") + mark("2"), "", 1},
	} {
		for size := 1; size <= len(test.in); size++ {
			var chunks []string
			for rest := test.in; rest != ""; {
				n := min(size, len(rest))
				chunks, rest = append(chunks, rest[:n]), rest[n:]
			}
			visible, m := strip(chunks...)
			code := -1
			if m.ended {
				code = m.code
			}
			if visible != test.visible || code != test.code {
				t.Errorf("%s in chunks of %d: %q, %d, want %q, %d", name, size, visible, code, test.visible, test.code)
			}
		}
	}
}

// Without a mark every byte passes, however it is cut; with one, exactly what
// stands before it.
func FuzzMarkStripper(f *testing.F) {
	f.Add("output", uint8(3), 1)
	f.Add("\x1e"+testRunID+":", uint8(0), 7)
	f.Add("\x1e"+testRunID+":12", uint8(200), 2)
	f.Fuzz(func(t *testing.T, output string, code uint8, size int) {
		size = max(1, size)
		if strings.Contains(output, "\x1e"+testRunID) {
			t.Skip("the output holds the random mark")
		}
		whole := fmt.Sprintf("%s\x1e%s:%d\x1e", output, testRunID, code)
		for _, in := range []string{output, whole} {
			var chunks []string
			for rest := in; rest != ""; {
				n := min(size, len(rest))
				chunks, rest = append(chunks, rest[:n]), rest[n:]
			}
			visible, m := strip(chunks...)
			if visible != output || m.ended != (in == whole) || m.ended && m.code != int(code) {
				t.Errorf("%q in %d: %q, ended %v, code %d", in, size, visible, m.ended, m.code)
			}
		}
	})
}
