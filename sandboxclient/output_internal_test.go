package sandboxclient

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestCollector(t *testing.T) {
	t.Parallel()
	all := []byte(strings.Repeat("0123456789", 20))
	for _, limit := range []int{1, 2, 7, 10, 100, 199, 200, 201} {
		for _, chunk := range []int{1, 3, 50, 200} {
			c := newCollector(limit)
			for rest := all; len(rest) > 0; {
				n := min(chunk, len(rest))
				_, _ = c.Write(rest[:n])
				rest = rest[n:]
			}
			got := c.output()
			if got.Total != 200 {
				t.Errorf("limit %d: total %d", limit, got.Total)
			}
			if limit >= 200 {
				if got.Truncated() || !bytes.Equal(got.Head, all) {
					t.Errorf("limit %d, chunk %d: %q", limit, chunk, got.Head)
				}
				continue
			}
			head := limit / 2
			if !bytes.Equal(got.Head, all[:head]) || !bytes.Equal(got.Tail, all[200-(limit-head):]) || got.Dropped() != int64(200-limit) {
				t.Errorf("limit %d, chunk %d: %q, %q", limit, chunk, got.Head, got.Tail)
			}
		}
	}
}

func TestCollectorThatKeepsNothing(t *testing.T) {
	t.Parallel()
	c := newCollector(-1)
	_, _ = c.Write([]byte("abc"))
	if got := c.output(); got.Total != 3 || len(got.Bytes()) != 0 || !got.Truncated() {
		t.Errorf("got %+v", got)
	}
}

func TestOutputStringIsValid(t *testing.T) {
	t.Parallel()
	o := Output{Head: []byte("ab\xe6\x97"), Tail: []byte("\xa5\xe6\x9c\xacz"), Total: 100}
	if got, want := o.String(), "ab\n[... 94 bytes omitted ...]\n\u672cz"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := (Output{Head: []byte("a\xff"), Total: 2}).String(); got != "a\uFFFD" {
		t.Errorf("got %q", got)
	}
	if got := (Output{}).String(); got != "" {
		t.Errorf("got %q", got)
	}
}

// Chunks joined are the output, and none but the last ends within a character
// that goes on.
func FuzzChunks(f *testing.F) {
	f.Add([]byte("a日本\xff\xf0\x9f"), 1)
	f.Add([]byte("\xe6\xe6\xe6\xe6"), 2)
	f.Fuzz(func(t *testing.T, in []byte, size int) {
		size = max(1, size)
		var joined []byte
		var chunks [][]byte
		s := newSink("", -1, func(p []byte) {
			joined = append(joined, p...)
			chunks = append(chunks, bytes.Clone(p))
		})
		for rest := in; len(rest) > 0; {
			n := min(size, len(rest))
			s.write(rest[:n])
			rest = rest[n:]
		}
		s.close()
		if !bytes.Equal(joined, in) {
			t.Errorf("%q became %q", in, joined)
		}
		for i := range chunks {
			if utf8.Valid(in) && !utf8.Valid(chunks[i]) {
				t.Errorf("chunk %d, %q, cuts a character of %q", i, chunks[i], in)
			}
		}
	})
}

func TestSignalExit(t *testing.T) {
	t.Parallel()
	for status, want := range map[string]int{
		"signal: killed": 137, "signal: terminated": 143, "signal: segmentation fault (core dumped)": 139,
		"signal: interrupt": 130, "": exitUnknown, "signal: no such": exitUnknown,
	} {
		if got := signalExit(status); got != want {
			t.Errorf("%q: %d, want %d", status, got, want)
		}
	}
}

func TestEnvdVersions(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		version string
		at      envdVersion
		want    bool
	}{
		{"0.5.7", envdOctetStream, true}, {"0.5.6", envdOctetStream, false}, {"0.10.0", envdOctetStream, true},
		{"v1.0.0", envdOctetStream, true}, {"0.5.7-rc1", envdOctetStream, true}, {"0.6", envdProtobuf, true},
		{"", envdDefaultUser, false}, {"unknown", envdDefaultUser, false},
	} {
		if got := parseEnvdVersion(test.version).atLeast(test.at); got != test.want {
			t.Errorf("%q at least %v: %v", test.version, test.at, got)
		}
	}
}
