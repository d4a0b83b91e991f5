package jsonc_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/agentsandbox/agent-sandbox/ideinstall/internal/conf"
	"github.com/agentsandbox/agent-sandbox/ideinstall/internal/jsonc"
)

var (
	container = []string{"mcpServers"}
	entryPath = []string{"mcpServers", "agent-sandbox"}
	entry     = conf.Object{
		{Key: "command", Value: `C:\Program Files\abx\abx.exe`},
		{Key: "args", Value: []string{"mcp", "start"}},
		{Key: "env", Value: conf.Object{{Key: "ABX_SANDBOX_API_KEY", Value: "<&>\"'"}}},
	}
)

func parse(t testing.TB, src []byte) conf.Document {
	t.Helper()
	base, _ := conf.Normalize(jsonc.Format{}, src)
	doc, err := jsonc.Format{}.Parse(base)
	if err != nil {
		t.Fatalf("parse %q: %v", src, err)
	}
	return doc
}

// install edits as an installer does.
func install(src []byte) (*conf.Result, error) {
	f := jsonc.Format{}
	base, _ := conf.Normalize(f, src)
	doc, err := f.Parse(base)
	if err != nil {
		return nil, err
	}
	return conf.Apply(f, src, append(conf.Fill(doc, container), conf.Op{Path: entryPath, Value: entry}))
}

// squeeze drops white space outside strings and comments, byte for byte else.
func squeeze(src []byte) string {
	var b strings.Builder
	for i := 0; i < len(src); i++ {
		switch c := src[i]; c {
		case ' ', '\t', '\r', '\n':
			continue
		case '"', '/':
			end := tokenEnd(src, i)
			b.Write(bytes.TrimRight(src[i:end], "\r\n"))
			i = end - 1
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

func tokenEnd(src []byte, i int) int {
	rest := src[i:]
	switch {
	case bytes.HasPrefix(rest, []byte("//")):
		if n := bytes.IndexByte(rest, '\n'); n >= 0 {
			return i + n
		}
		return len(src)
	case bytes.HasPrefix(rest, []byte("/*")):
		return i + 2 + bytes.Index(rest[2:], []byte("*/")) + 2
	}
	for j := i + 1; j < len(src); j++ {
		switch src[j] {
		case '\\':
			j++
		case '"':
			return j + 1
		}
	}
	return len(src)
}

// checkEdits holds what must be true of every document that is not refused.
func checkEdits(t testing.TB, src []byte) {
	t.Helper()
	old, err := install(src)
	if err != nil {
		var unsafe *conf.UnsafeEditError
		if errors.As(err, &unsafe) {
			t.Errorf("%q: %v", src, err)
		}
		return
	}
	base, _ := conf.Normalize(jsonc.Format{}, src)
	before, after := parse(t, base), parse(t, old.Bytes)
	checkInsertion(t, base, before, old.Bytes)
	if got, _ := conf.Lookup(after.Value(), entryPath); !conf.Equal(entry, got) {
		t.Errorf("%q: entry is %v", src, got)
	}
	if again, err := install(old.Bytes); err != nil || again.Changed {
		t.Errorf("%q: second install changed the file (%v)", src, err)
	}
	checkRemoval(t, base, before, old.Bytes)
}

func checkInsertion(t testing.TB, base []byte, before conf.Document, out []byte) {
	t.Helper()
	if _, ok := conf.Lookup(before.Value(), entryPath); ok || len(conf.Fill(before, container)) > 0 {
		return
	}
	if !conf.Subsequence(base, out) {
		t.Errorf("%q: bytes were lost:\n%s", base, out)
	}
	if json.Valid(base) && !json.Valid(out) {
		t.Errorf("%q: strict JSON became lax:\n%s", base, out)
	}
	lf, crlf := bytes.Count(base, []byte("\n")), bytes.Count(base, []byte("\r\n"))
	if lf > 0 && lf == crlf && bytes.Count(out, []byte("\n")) != bytes.Count(out, []byte("\r\n")) {
		t.Errorf("%q: line endings are mixed:\n%q", base, out)
	}
}

func checkRemoval(t testing.TB, base []byte, before conf.Document, installed []byte) {
	t.Helper()
	removed, err := conf.Apply(jsonc.Format{}, installed, []conf.Op{{Path: entryPath}})
	if err != nil {
		t.Errorf("%q: remove: %v", installed, err)
		return
	}
	if _, ok := conf.Lookup(parse(t, removed.Bytes).Value(), entryPath); ok {
		t.Errorf("%q: the entry is still there", installed)
	}
	servers, _ := conf.Lookup(before.Value(), container)
	m, _ := servers.(map[string]any)
	if _, had := m["agent-sandbox"]; had || m == nil {
		return
	}
	if got, want := squeeze(removed.Bytes), squeeze(base); got != want {
		t.Errorf("%q: install and remove gave %q", base, removed.Bytes)
	}
}
