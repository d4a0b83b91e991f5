package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// drainLimit is how long cancelled calls may take to deliver their answer.
const drainLimit = 5 * time.Second

// end closes a session whose close has begun: it cancels its calls, lets their
// answers out, and waits until its sandboxes are destroyed or ctx ends.
func (h *SessionStore) end(ctx context.Context, e *openSession) {
	e.session.end()
	select {
	case <-e.drained:
	case <-time.After(drainLimit):
	case <-ctx.Done():
	}
	e.closers.Go(func() { _ = e.ss.Close() }) // waits for handlers; free wakes when it is through
	select {
	case <-e.freed:
	case <-ctx.Done():
	}
}

// free waits for the end of a session, whatever its cause, forgets it and
// destroys its sandboxes.
func (h *SessionStore) free(e *openSession) {
	_ = e.ss.Wait()
	e.beginClose()
	h.mu.Lock()
	delete(h.byID, e.id)
	h.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), h.opts.CloseLimit)
	defer cancel()
	if err := e.session.Close(ctx); err != nil {
		e.failure = fmt.Errorf("session of %q: %w", e.principal, err)
		h.server.opts.logger().Error("sandboxes of an ended session may be left", "error", err)
	}
	close(e.freed)
	e.closers.Wait()
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

// shutdown ends every session at once.
func (h *SessionStore) shutdown(ctx context.Context) error {
	var wg sync.WaitGroup
	all := h.takeDown()
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
	h.await(ctx)
	return failures(all)
}

// await waits for the goroutines of all sessions, until ctx ends.
func (h *SessionStore) await(ctx context.Context) {
	done := make(chan struct{})
	go func() {
		h.wg.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-ctx.Done():
	}
}

func (h *SessionStore) takeDown() []*openSession {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.down = true
	var all []*openSession
	for _, e := range h.byID {
		all = append(all, e)
	}
	return all
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
