package engine

import (
	"bufio"
	"bytes"
	"io"
	"strings"
	"testing"
)

func frame(stream byte, text string) string {
	return string([]byte{stream, 0, 0, 0, 0, 0, 0, byte(len(text))}) + text
}

func TestAttachedSeparatesTheStreams(t *testing.T) {
	t.Parallel()
	var stderr bytes.Buffer
	in := frame(1, "one ") + frame(2, "oops ") + frame(1, "") + frame(1, "two") + frame(2, "again")
	a := &Attached{r: bufio.NewReader(strings.NewReader(in)), stderr: &stderr}
	out, err := io.ReadAll(a)
	if err != nil || string(out) != "one two" || stderr.String() != "oops again" {
		t.Errorf("stdout %q, stderr %q, %v", out, stderr.String(), err)
	}
}

func FuzzAttached(f *testing.F) {
	f.Add([]byte(frame(1, "text") + frame(3, "?")))
	f.Fuzz(func(t *testing.T, in []byte) {
		a := &Attached{r: bufio.NewReader(bytes.NewReader(in)), stderr: io.Discard}
		if out, _ := io.ReadAll(a); len(out) > len(in) {
			t.Errorf("%d bytes out of %d", len(out), len(in))
		}
	})
}
