package sandboxclient

import (
	"context"
	"errors"
	"math/rand/v2"
	"net/http"
	"time"
)

const (
	maxAttempts   = 4
	maxRetryAfter = 30 * time.Second
	firstBackoff  = 100 * time.Millisecond
)

// retryable decides whether a call that failed may be sent again: always when
// it was not carried out (a 429 that names a time, a connection that was never
// made), and after a gateway's failure or a lost answer only when doing it
// twice is the same as doing it once.
func retryable(err error, idempotent bool) bool {
	e, ok := errors.AsType[*Error](err)
	if !ok {
		return false
	}
	switch {
	case e.Code == CodeRateLimited:
		return e.RetryAfter > 0 && e.RetryAfter <= maxRetryAfter
	case e.Code == CodeUnavailable && e.Status == 0:
		return e.gateway
	case e.Status == http.StatusBadGateway, e.Status == http.StatusServiceUnavailable, e.Status == http.StatusGatewayTimeout:
		return idempotent && e.Code != CodeSandboxGone && e.Code != CodePortClosed
	default:
		return idempotent && e.Code == CodeOutcomeUnknown
	}
}

// backoff is how long to wait before attempt n+1: what the server asked for,
// else 100 ms doubled each time, with a jitter of a half.
func backoff(err error, n int) time.Duration {
	if e, ok := errors.AsType[*Error](err); ok && e.RetryAfter > 0 {
		return e.RetryAfter
	}
	d := firstBackoff << (n - 1)
	return d/2 + rand.N(d)
}

// retry runs call until it succeeds, may not be repeated, was tried four
// times, or ctx has no time left for the wait.
func retry(ctx context.Context, idempotent bool, call func() error) error {
	for n := 1; ; n++ {
		err := call()
		if err == nil || n == maxAttempts || !retryable(err, idempotent) || !pause(ctx, backoff(err, n)) {
			return err
		}
	}
}

// pause waits for d; false when ctx ends before, known at once when its
// deadline is nearer.
func pause(ctx context.Context, d time.Duration) bool {
	if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) < d {
		return false
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}
