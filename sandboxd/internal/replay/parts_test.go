package replay

import (
	"encoding/json"
	"fmt"
	"reflect"
	"testing"
)

func value(t *testing.T, text string) any {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatal(err)
	}
	return v
}

func TestEditFollowsPointers(t *testing.T) {
	t.Parallel()
	const doc = `{"a":[{"b":1},{"b":2}],"c/d":{"e":3}}`
	for pointer, want := range map[string]string{
		"/a/1/b":   `{"a":[{"b":1},{"b":"X"}],"c/d":{"e":3}}`,
		"/a/*/b":   `{"a":[{"b":"X"},{"b":"X"}],"c/d":{"e":3}}`,
		"/c~1d/e":  `{"a":[{"b":1},{"b":2}],"c/d":{"e":"X"}}`,
		"/a/7/b":   doc,
		"/none/at": doc,
		"":         `"X"`,
	} {
		got := edit(value(t, doc), pointer, func(any) any { return "X" })
		if !reflect.DeepEqual(got, value(t, want)) {
			t.Errorf("%q: %v, want %s", pointer, got, want)
		}
	}
}

// frames writes a process stream in short: numbers are data events of that
// many bytes, "k" keepalives.
func frames(t *testing.T, data ...string) any {
	t.Helper()
	text := `[{"flags":0,"json":{"event":{"start":{"pid":7}}}}`
	for _, d := range data {
		if d == "k" {
			text += `,{"flags":0,"json":{"event":{"keepalive":{}}}}`
			continue
		}
		text += fmt.Sprintf(`,{"flags":0,"json":{"event":{"data":{"stdout":%q}}}}`, d)
	}
	return value(t, text+`,{"flags":2,"json":{}}]`)
}

func stream(loose ...string) *Capture {
	return &Capture{
		Response: Response{Headers: map[string]string{"Content-Type": "application/connect+json"}},
		Loose:    loose, Volatile: []string{"/decoded/0/json/event/start/pid"},
	}
}

func TestLooseChunkingJoinsOutput(t *testing.T) {
	t.Parallel()
	free := stream(looseChunking)
	one, two := free.normalise(frames(t, "YWI=")), free.normalise(frames(t, "YQ==", "Yg=="))
	if !reflect.DeepEqual(one, two) || one["stdout"] != "ab" {
		t.Errorf("%v and %v", one, two)
	}
	if other := free.normalise(frames(t, "YWM=")); reflect.DeepEqual(one, other) {
		t.Error("other output passes for the same")
	}
	strict := stream()
	if reflect.DeepEqual(strict.normalise(frames(t, "YWI=")), strict.normalise(frames(t, "YQ==", "Yg=="))) {
		t.Error("without the freedom, other chunks pass for the same")
	}
}

func TestOneKeepaliveMoreOrLess(t *testing.T) {
	t.Parallel()
	c := stream(looseKeepalives)
	want := c.normalise(frames(t, "k", "k"))
	for n, same := range map[int]bool{0: false, 1: true, 2: true, 3: true, 4: false} {
		var data []string
		for range n {
			data = append(data, "k")
		}
		differs := false
		compareParts(want, c.normalise(frames(t, data...)), func(_ string, want, got any) {
			differs = differs || !reflect.DeepEqual(want, got)
		})
		if differs == same {
			t.Errorf("%d keepalives for 2: same is %v", n, !differs)
		}
	}
}

func TestVolatileValuesAreNotCompared(t *testing.T) {
	t.Parallel()
	c := &Capture{Volatile: []string{"/decoded/entries/0/size"}}
	doc := func(first, second int) any {
		return value(t, fmt.Sprintf(`{"entries":[{"size":%d},{"size":%d}]}`, first, second))
	}
	if !reflect.DeepEqual(c.normalise(doc(1, 5)), c.normalise(doc(2, 5))) {
		t.Error("a volatile value is compared")
	}
	if reflect.DeepEqual(c.normalise(doc(1, 5)), c.normalise(doc(1, 6))) {
		t.Error("a value that is not volatile is not compared")
	}
}

func TestLinesJoinOutputByStream(t *testing.T) {
	t.Parallel()
	c := &Capture{LineAt: []float64{0}, Loose: []string{looseChunking}}
	got := c.normalise(value(t, `[{"type":"stdout","text":"a"},{"type":"result","text":"r"},{"type":"stdout","text":"b"}]`))
	if got["stdout"] != "ab" || len(got["lines"].([]any)) != 1 {
		t.Errorf("%v", got)
	}
}
