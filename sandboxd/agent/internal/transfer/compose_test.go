package transfer_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agentsandbox/agent-sandbox/sandboxd/agent/internal/settings"
)

func (b *bench) compose(body string) (int, string) {
	b.t.Helper()
	w := b.do("POST", "/files/compose", strings.NewReader(body))
	return w.Code, w.Body.String()
}

func TestComposeJoinsAndDeletes(t *testing.T) {
	t.Parallel()
	b := newBench(t, true, settings.Values{})
	b.write("p1", "one ")
	b.write("p2", "two ")
	b.write("p3", "three")
	code, text := b.compose(`{"source_paths":["p1","p2","p3"],"destination":"out/whole","username":"user"}`)
	if code != 200 || !strings.Contains(text, `"path":"`+b.home+`/out/whole"`) {
		t.Fatalf("%d %s", code, text)
	}
	b.holds("out/whole", "one two three")
	left, err := os.ReadDir(b.home)
	if err != nil || len(left) != 1 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	if info, err := os.Stat(filepath.Join(b.home, "out/whole")); err != nil || info.Mode().Perm() != 0o644 {
		t.Errorf("%v, %v", info, err)
	}
}

func TestComposeOntoASource(t *testing.T) {
	t.Parallel()
	b := newBench(t, true, settings.Values{})
	b.write("a", "1")
	b.write("b", "2")
	if code, text := b.compose(`{"source_paths":["a","b"],"destination":"a"}`); code != 200 {
		t.Fatalf("%d %s", code, text)
	}
	b.holds("a", "12")
}

func TestComposeRefusalsChangeNothing(t *testing.T) {
	t.Parallel()
	b := newBench(t, true, settings.Values{})
	b.write("a", "1")
	b.write("dir/x", "")
	for body, want := range map[string]int{
		`[`:                                     400,
		`{"source_paths":[],"destination":"x"}`: 400,
		`{"source_paths":["a"]}`:                400,
		`{"source_paths":["a"],"destination":"dir"}`:                400,
		`{"source_paths":["a","no"],"destination":"x"}`:             404,
		`{"source_paths":["a","dir"],"destination":"x"}`:            400,
		`{"source_paths":["a"],"destination":"a/x"}`:                500,
		`{"source_paths":["a"],"destination":"x","username":"bob"}`: 401,
	} {
		if code, text := b.compose(body); code != want {
			t.Errorf("%s: %d %s, want %d", body, code, text, want)
		}
	}
	b.holds("a", "1")
	if left, err := os.ReadDir(b.home); err != nil || len(left) != 2 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
