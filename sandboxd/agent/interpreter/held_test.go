package interpreter

import (
	"strings"
	"testing"
)

func TestHeldOutputKeepsTheNewest(t *testing.T) {
	t.Parallel()
	var h heldOutput
	h.add(item{event: event{Type: "result"}})
	piece := strings.Repeat("x", maxHeld/4)
	for _, last := range []string{"a", "b", "c", "d", "e"} {
		h.add(item{stream: "stdout", text: piece[1:] + last})
	}
	var text string
	for _, it := range h.take() {
		text += it.text
	}
	if len(text) != maxHeld || !strings.HasSuffix(text, "e") || strings.Contains(text, "a") {
		t.Errorf("%d bytes are held", len(text))
	}
	if len(h.take()) != 0 {
		t.Error("what was taken is still there")
	}
}
