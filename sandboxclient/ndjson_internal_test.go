package sandboxclient

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

func readLines(r io.Reader, limit int) (got []string, last error) {
	l := newLineReader(r, limit)
	for {
		line, err := l.next()
		switch {
		case errors.Is(err, errLongLine):
			got = append(got, "<long>")
		case err != nil:
			return got, err
		default:
			got = append(got, string(line))
		}
	}
}

func TestLines(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 200_000)
	for name, test := range map[string]struct {
		in    string
		limit int
		want  []string
		last  error
	}{
		"empty":             {"", 10, nil, io.EOF},
		"two":               {"a\nb\n", 10, []string{"a", "b"}, io.EOF},
		"empty lines":       {"\n\n", 10, []string{"", ""}, io.EOF},
		"no end":            {"a\nb", 10, []string{"a"}, io.ErrUnexpectedEOF},
		"long":              {"a\n" + long + "\nb\n", 1 << 20, []string{"a", long, "b"}, io.EOF},
		"too long":          {"a\n" + long + "\nb\n", 1000, []string{"a", "<long>", "b"}, io.EOF},
		"much too long":     {"a\n" + long + "\nb\n", 100_000, []string{"a", "<long>", "b"}, io.EOF},
		"too long, no end":  {"a\n" + long, 1000, []string{"a"}, io.ErrUnexpectedEOF},
		"exactly the limit": {"12345\n", 6, []string{"12345"}, io.EOF},
	} {
		for kind, reader := range map[string]io.Reader{
			"whole": strings.NewReader(test.in), "halves": iotest.HalfReader(strings.NewReader(test.in)),
		} {
			got, last := readLines(reader, test.limit)
			if strings.Join(got, "|") != strings.Join(test.want, "|") || last != test.last { //nolint:errorlint // exact
				t.Errorf("%s, %s: %d lines, %v", name, kind, len(got), last)
			}
		}
	}
}

// Every line within the limit comes back as bytes.Split gives it.
func FuzzLines(f *testing.F) {
	f.Add([]byte("a\nb\n"), 10)
	f.Add([]byte("\n\nlonger than four\n"), 4)
	f.Fuzz(func(t *testing.T, in []byte, limit int) {
		limit = max(1, limit%1000)
		got, last := readLines(bytes.NewReader(in), limit)
		whole := bytes.Split(in, []byte("\n"))
		rest := whole[len(whole)-1]
		if len(got) != len(whole)-1 {
			t.Fatalf("%d lines, want %d", len(got), len(whole)-1)
		}
		for i, line := range got {
			if want := string(whole[i]); line != want && len(want) < limit {
				t.Errorf("line %d is %q, want %q", i, line, want)
			}
		}
		if want := map[bool]error{true: io.EOF, false: io.ErrUnexpectedEOF}[len(rest) == 0]; last != want { //nolint:errorlint // exact
			t.Errorf("ended with %v, want %v", last, want)
		}
	})
}
