// Package retry repeats calls to FC that failed for a reason that may pass. The
// SDKs repeat nothing themselves.
package retry

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/agentsandbox/agent-sandbox/fcdeploy"
)

const (
	attempts     = 4
	defaultDelay = time.Second
)

// Policy says how long to wait. The zero value is the default.
type Policy struct {
	Delay time.Duration // before the first repetition; it doubles, and half of it is random
}

// Do calls f until it succeeds, fails for good, or has been tried 4 times.
func (p Policy) Do(ctx context.Context, f func(context.Context) error) error {
	delay := p.Delay
	if delay == 0 {
		delay = defaultDelay
	}
	for n := 1; ; n++ {
		err := f(ctx)
		if n == attempts || !temporary(err) {
			return err
		}
		select {
		case <-ctx.Done():
			return errors.Join(context.Cause(ctx), err)
		case <-time.After(delay/2 + rand.N(delay/2+1)):
		}
		delay *= 2
	}
}

func temporary(err error) bool {
	e, ok := errors.AsType[*fcdeploy.APIError](err)
	return ok && e.Temporary() && !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded)
}
