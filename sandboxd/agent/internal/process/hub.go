package process

import "sync"

// queued is how many events wait for a subscriber before the process has to
// wait too: with chunks of 32 KiB a subscriber holds at most 128 KiB.
const queued = 4

// hub hands events to every subscriber. A subscriber that does not read holds
// the publisher up, and so the process: nothing is dropped and nothing grows
// (envd contract: backpressure).
type hub struct {
	mu   sync.Mutex
	subs map[*subscriber]struct{}
	end  *event
	quit chan struct{}
}

func newHub() *hub { return &hub{subs: map[*subscriber]struct{}{}, quit: make(chan struct{})} }

type subscriber struct {
	events chan *event
	gone   chan struct{}
}

// subscribe starts to deliver events. The channel is closed at the end of the
// process, after the last output; ending then says how it ended.
func (h *hub) subscribe() *subscriber {
	sub := &subscriber{events: make(chan *event, queued), gone: make(chan struct{})}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.end != nil {
		close(sub.events)
		return sub
	}
	h.subs[sub] = struct{}{}
	return sub
}

// ending is the end event, or nil while the process runs.
func (h *hub) ending() *event {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.end
}

// unsubscribe frees a publisher that waits for this subscriber.
func (h *hub) unsubscribe(sub *subscriber) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if _, ok := h.subs[sub]; ok {
		delete(h.subs, sub)
		close(sub.gone)
	}
}

func (h *hub) publish(ev *event) {
	for _, sub := range h.snapshot() {
		select {
		case sub.events <- ev:
		case <-sub.gone:
		case <-h.quit:
		}
	}
}

// abandon waits for no subscriber any more: what they do not take is lost.
// It may be called once.
func (h *hub) abandon() { close(h.quit) }

func (h *hub) snapshot() []*subscriber {
	h.mu.Lock()
	defer h.mu.Unlock()
	list := make([]*subscriber, 0, len(h.subs))
	for sub := range h.subs {
		list = append(list, sub)
	}
	return list
}

// finish sets the last event. Nothing may be published afterwards.
func (h *hub) finish(end *event) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.end = end
	for sub := range h.subs {
		close(sub.events)
	}
	h.subs = nil
}
