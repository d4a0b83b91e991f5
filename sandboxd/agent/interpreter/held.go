package interpreter

// maxHeld bounds what is kept of output that nobody asked for yet, in bytes.
const maxHeld = 64 << 10

// heldOutput is what background threads and processes of a kernel printed while
// no execution ran. The oldest is given up when there is too much.
type heldOutput struct {
	items []item
	size  int
}

func (h *heldOutput) add(it item) {
	if it.stream == "" {
		return // events without an execution have no receiver
	}
	h.items = append(h.items, it)
	h.size += len(it.text)
	for h.size > maxHeld && len(h.items) > 1 {
		h.size -= len(h.items[0].text)
		h.items = h.items[1:]
	}
}

func (h *heldOutput) take() []item {
	items := h.items
	*h = heldOutput{}
	return items
}
