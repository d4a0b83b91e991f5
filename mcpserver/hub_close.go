package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"
)

// drainLimit is how long cancelled calls may take to deliver their answer. What
// then still holds a call is ended with its sandbox.
const drainLimit = 3 * time.Second

// end closes a session whose close has begun: it cancels its calls, lets their
// answers out, destroys its sandboxes, and waits for all that until ctx ends.
func (h *SessionStore) end(ctx context.Context, e *openSession) {
	e.session.end()
	select {
	case <-e.drained:
	case <-time.After(drainLimit):
	case <-ctx.Done():
	}
	go func() {
		defer close(e.shut)
		h.destroy(e)
		_ = e.ss.Close() // waits for handlers; free wakes when it is through
	}()
	select {
	case <-e.freed:
	case <-ctx.Done():
	}
}

// free waits for the end of a session, whatever its cause, forgets it and
// destroys its sandboxes.
func (h *SessionStore) free(e *openSession) {
	_ = e.ss.Wait()
	ended := !e.beginClose()
	h.mu.Lock()
	delete(h.byID, e.id)
	h.mu.Unlock()
	h.destroy(e)
	close(e.freed)
	if ended {
		<-e.shut
	}
}

// destroy closes our half of a session, once; whoever comes later waits.
func (h *SessionStore) destroy(e *openSession) {
	e.once.Do(func() {
		ctx, cancel := context.WithTimeout(context.Background(), h.opts.CloseLimit)
		defer cancel()
		if err := e.session.Close(ctx); err != nil {
			e.failure = fmt.Errorf("session of %q: %w", e.principal, err)
			h.server.opts.logger().Error("sandboxes of an ended session may be left", "error", err)
		}
	})
}

// expire ends a session that has been idle for its TTL.
func (h *SessionStore) expire(e *openSession) {
	if !e.beginCloseIdle() {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), h.opts.CloseLimit)
	defer cancel()
	h.end(ctx, e)
}

// shutdown ends every session at once. One that is just being initialized is
// waited for.
func (h *SessionStore) shutdown(ctx context.Context) error {
	h.refuse()
	await(ctx, &h.pending)
	var wg sync.WaitGroup
	all := h.all()
	for _, e := range all {
		wg.Go(func() {
			if e.beginClose() {
				h.end(ctx, e)
			}
			select {
			case <-e.freed:
			case <-ctx.Done():
			}
		})
	}
	wg.Wait()
	await(ctx, &h.wg)
	return failures(all)
}

// refuse lets no new session in.
func (h *SessionStore) refuse() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.down = true
}

func (h *SessionStore) all() []*openSession {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Collect(maps.Values(h.byID))
}

// await waits for goroutines, until ctx ends, and says whether all of them did.
func await(ctx context.Context, wg *sync.WaitGroup) bool {
	done := make(chan struct{})
	go func() {
		wg.Wait()
		close(done)
	}()
	select {
	case <-done:
		return true
	case <-ctx.Done():
		return false
	}
}

func failures(all []*openSession) error {
	var errs []error
	for _, e := range all {
		select {
		case <-e.freed:
			errs = append(errs, e.failure)
		default:
			errs = append(errs, fmt.Errorf("session of %q: its sandboxes were not destroyed in time", e.principal))
		}
	}
	return errors.Join(errs...)
}
