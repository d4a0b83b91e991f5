package interpreter

import (
	"bytes"
	"strings"
	"testing"
)

func TestEventsAreCutAtLines(t *testing.T) {
	t.Parallel()
	var r eventReader
	if events := r.feed([]byte(`{"type":"res`)); len(events) != 0 {
		t.Errorf("half a line gives %v", events)
	}
	events := r.feed([]byte("ult\",\"main\":true}\nnoise\n[1]\n{\"type\":\"other\"}\n\n{\"type\":\"done\"}\n"))
	if len(events) != 2 || events[0].Type != "result" || !events[0].Main || events[1].Type != "done" {
		t.Errorf("events are %v", events)
	}
}

func TestEventThatIsTooLargeBecomesAnError(t *testing.T) {
	t.Parallel()
	var r eventReader
	var events []event
	piece := bytes.Repeat([]byte("x"), 1<<20)
	for range maxEvent>>20 + 3 {
		events = append(events, r.feed(piece)...)
		if len(r.pending) > maxEvent {
			t.Fatalf("%d bytes are kept", len(r.pending))
		}
	}
	events = append(events, r.feed([]byte("\n{\"type\":\"done\"}\n"))...)
	if len(events) != 2 || events[0].Name != nameTooLarge || !events[0].awaitsAck() || events[1].Type != "done" {
		t.Errorf("events are %v", events)
	}
}

func TestRequestTellsLengthsInBytes(t *testing.T) {
	t.Parallel()
	if got := string(encodeRequest("1\n2", map[string]string{"K": "ü"})); got != "execute 3 1 2\n1\n2Kü" {
		t.Errorf("request is %q", got)
	}
	if got := string(encodeRequest("", nil)); got != "execute 0\n" {
		t.Errorf("request is %q", got)
	}
}

func TestDriversFitIntoAPipe(t *testing.T) {
	t.Parallel()
	// The server writes a driver before anybody reads it.
	for _, lang := range table {
		text, err := lang.driverText()
		if err != nil || len(text) == 0 || len(text) > 60<<10 {
			t.Errorf("the driver of %s has %d bytes, error %v", lang.name, len(text), err)
		}
	}
}

func FuzzEventReader(f *testing.F) {
	f.Add([]byte("{\"type\":\"done\"}\n"), 3)
	f.Add([]byte("{\"type\":\"result\",\"data\":{\"text/plain\":\"a\"}}\nx\n"), 1)
	f.Add([]byte("\n\n{\"type\":1}\n{\"type\":\"done\""), 7)
	f.Fuzz(func(t *testing.T, data []byte, size int) {
		if size < 1 {
			return
		}
		var whole, pieces eventReader
		want := whole.feed(data)
		var got []event
		for rest := data; len(rest) > 0; {
			n := min(size, len(rest))
			got = append(got, pieces.feed(rest[:n])...)
			rest = rest[n:]
		}
		if len(want) != len(got) || !bytes.Equal(whole.pending, pieces.pending) {
			t.Fatalf("whole gives %v and %q, pieces of %d give %v and %q", want, whole.pending, size, got, pieces.pending)
		}
		for i := range want {
			if want[i].Type != got[i].Type || want[i].Value != got[i].Value {
				t.Fatalf("event %d is %v or %v", i, want[i], got[i])
			}
		}
	})
}

func FuzzTextDecoder(f *testing.F) {
	f.Add([]byte("grün 中文 🙂"), 1)
	f.Add([]byte("a\xff\xc3\xe4\xb8"), 2)
	f.Add([]byte("\xf0\x9f\x99"), 3)
	f.Fuzz(func(t *testing.T, data []byte, size int) {
		if size < 1 {
			return
		}
		var d textDecoder
		var got strings.Builder
		for rest := data; len(rest) > 0; {
			n := min(size, len(rest))
			got.WriteString(d.decode(rest[:n]))
			if len(d.carry) > 3 {
				t.Fatalf("%d bytes are carried", len(d.carry))
			}
			rest = rest[n:]
		}
		got.WriteString(d.flush())
		// A run of bad bytes may be told as one or as several replacements,
		// depending on the cut; the text between them may not change.
		if want := strings.ToValidUTF8(string(data), "\uFFFD"); merged(got.String()) != merged(want) {
			t.Fatalf("pieces of %d of %q give %q, want %q", size, data, got.String(), want)
		}
	})
}

func merged(text string) string {
	for strings.Contains(text, "\uFFFD\uFFFD") {
		text = strings.ReplaceAll(text, "\uFFFD\uFFFD", "\uFFFD")
	}
	return text
}

func FuzzBody(f *testing.F) {
	f.Add([]byte(`{"code":"1","env_vars":{"A":"b"},"language":null}`))
	f.Add([]byte(`{"code":`))
	f.Add([]byte(`{"env_vars":{"":1}}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		b, bad := parseBody(raw)
		if bad != nil {
			return
		}
		variables := b.optionalMap("env_vars")
		b.checkVariables("env_vars", variables)
		if b.problem() != nil {
			return
		}
		for name, value := range variables {
			if name == "" || strings.Contains(name, "=") || strings.Contains(name+value, "\x00") {
				t.Fatalf("%q passes with %q = %q", raw, name, value)
			}
		}
	})
}
