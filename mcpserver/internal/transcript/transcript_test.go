package transcript_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/agentsandbox/agent-sandbox/mcpserver/internal/transcript"
)

func TestCollapse(t *testing.T) {
	t.Parallel()
	var progress strings.Builder
	for i := range 5001 {
		fmt.Fprintf(&progress, "\r%d%%", i)
	}
	cases := map[string]struct{ in, want string }{
		"plain text":             {"a\tb\nc\n", "a\tb\nc\n"},
		"colour":                 {"\x1b[31mred\x1b[0m\n", "red\n"},
		"256 colours":            {"\x1b[38;5;208mx\x1b[m", "x"},
		"progress":               {progress.String(), "5000%"},
		"progress and line end":  {"10%\r20%\r\ndone\n", "20%\ndone\n"},
		"return before line end": {"100%\r", "100%"},
		"CRLF":                   {"a\r\nb\r\n", "a\nb\n"},
		"erase line":             {"loading\x1b[2K\rdone", "done"},
		"erase line, no return":  {"loading\x1b[2Kdone", "done"},
		"backspace":              {"ab\b\bcé\bd", "cd"},
		"backspace at the start": {"\n\b\bx", "\nx"},
		"window title":           {"\x1b]0;title\ax", "x"},
		"hyperlink":              {"\x1b]8;;http://h\x1b\\text\x1b]8;;\x1b\\", "text"},
		"title without an end":   {"\x1b]0;title\nnext", "\nnext"},
		"charset":                {"\x1b(Bx", "x"},
		"lone escape":            {"x\x1b", "x"},
		"cut sequence":           {"x\x1b[38;5", "x"},
		"cursor keys":            {"\x1b7x\x1b8\x1b=", "x"},
		"bell and NUL":           {"a\a\x00b", "ab"},
		"C1":                     {"a\u009bb", "ab"},
		"CJK":                    {"数\r据\n", "据\n"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := transcript.Collapse(c.in); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestRenderKeepsWhatFits(t *testing.T) {
	t.Parallel()
	got := transcript.Render(transcript.Raw{Head: []byte("ab"), Tail: []byte("cd")}, transcript.Options{Max: 4})
	if got != (transcript.Text{String: "abcd"}) {
		t.Errorf("got %+v", got)
	}
}

func TestRenderShortensTheMiddle(t *testing.T) {
	t.Parallel()
	got := transcript.Render(transcript.Raw{Head: []byte("0123456789")}, transcript.Options{Max: 4})
	if want := "01\n[... 6 bytes left out ...]\n89"; got.String != want || got.LeftOut != 6 {
		t.Errorf("got %q and %d, want %q", got.String, got.LeftOut, want)
	}
}

func TestRenderCountsWhatWasDroppedBefore(t *testing.T) {
	t.Parallel()
	raw := transcript.Raw{Head: []byte("head"), Tail: []byte("tail"), Dropped: 100}
	got := transcript.Render(raw, transcript.Options{Max: 6})
	if want := "hea\n[... 102 bytes left out ...]\nail"; got.String != want || got.LeftOut != 102 {
		t.Errorf("got %q and %d, want %q", got.String, got.LeftOut, want)
	}
}

// Progress is collapsed before the cap, so that it does not push results out.
func TestRenderCollapsesBeforeItShortens(t *testing.T) {
	t.Parallel()
	in := strings.Repeat("\r working", 100) + "\nresult\n"
	if got := transcript.Render(transcript.Raw{Head: []byte(in)}, transcript.Options{Max: 20}); got.String != " working\nresult\n" || got.LeftOut != 0 {
		t.Errorf("got %+v", got)
	}
}

func TestRenderRaw(t *testing.T) {
	t.Parallel()
	in := "\x1b[31mred\r\x00"
	if got := transcript.Render(transcript.Raw{Head: []byte(in)}, transcript.Options{Max: 99, Raw: true}); got.String != in {
		t.Errorf("got %q, want it as it came", got.String)
	}
}

func TestRenderCountsInvalidBytes(t *testing.T) {
	t.Parallel()
	got := transcript.Render(transcript.Raw{Head: []byte("a\xff\xfeb\xe6\x95")}, transcript.Options{Max: 99})
	if want := "a\ufffd\ufffdb\ufffd\ufffd"; got.String != want || got.Invalid != 4 {
		t.Errorf("got %+v, want %q and 4", got, want)
	}
}

// A character that the cap of an earlier stage split is no invalid byte.
func TestRenderTrimsSplitCharacters(t *testing.T) {
	t.Parallel()
	text := []byte("数据")
	for cut := 1; cut < len(text); cut++ {
		got := transcript.Render(transcript.Raw{Head: text[:cut], Tail: text[cut:], Dropped: 1}, transcript.Options{Max: 99})
		if got.Invalid != 0 || !utf8.ValidString(got.String) {
			t.Errorf("cut at %d: %+v", cut, got)
		}
	}
}

// A character that comes whole in two pieces of one stream stays whole.
func TestRenderJoinsPieces(t *testing.T) {
	t.Parallel()
	text := []byte("数")
	if got := transcript.Render(transcript.Raw{Head: text[:1], Tail: text[1:]}, transcript.Options{Max: 99}); got.String != "数" {
		t.Errorf("got %q", got.String)
	}
}

func FuzzRender(f *testing.F) {
	f.Add([]byte("a\x1b[2Kb\rc数\xff"), []byte("tail"), 10, true)
	f.Fuzz(func(t *testing.T, head, tail []byte, limit int, cut bool) {
		limit = max(0, limit%1000)
		raw := transcript.Raw{Head: head, Tail: tail}
		if cut {
			raw.Dropped = 5
		}
		got := transcript.Render(raw, transcript.Options{Max: limit})
		if !utf8.ValidString(got.String) || bytes.ContainsRune([]byte(got.String), '\x1b') {
			t.Errorf("%q", got.String)
		}
		if most := limit + 60; len(got.String) > most {
			t.Errorf("%d bytes, want at most %d", len(got.String), most)
		}
	})
}
