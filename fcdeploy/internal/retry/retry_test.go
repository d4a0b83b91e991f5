package retry_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/agentsandbox/agent-sandbox/fcdeploy"
	"github.com/agentsandbox/agent-sandbox/fcdeploy/internal/retry"
)

func TestDo(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		err   error
		calls int
	}{
		"success":    {nil, 1},
		"throttled":  {&fcdeploy.APIError{Status: 429}, 4},
		"server":     {&fcdeploy.APIError{Status: 502}, 4},
		"transport":  {&fcdeploy.APIError{Err: errors.New("connection reset")}, 4},
		"denied":     {&fcdeploy.APIError{Status: 403}, 1},
		"invalid":    {&fcdeploy.APIError{Status: 400}, 1},
		"conflict":   {&fcdeploy.APIError{Status: 409}, 1},
		"canceled":   {&fcdeploy.APIError{Err: context.Canceled}, 1},
		"other kind": {errors.New("bug"), 1},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			calls := 0
			err := retry.Policy{Delay: time.Microsecond}.Do(t.Context(), func(context.Context) error {
				calls++
				return test.err
			})
			if calls != test.calls || !errors.Is(err, test.err) {
				t.Errorf("%d calls, want %d: %v", calls, test.calls, err)
			}
		})
	}
}

func TestDoStopsWithTheContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	err := retry.Policy{Delay: time.Hour}.Do(ctx, func(context.Context) error {
		cancel()
		return &fcdeploy.APIError{Status: 503}
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
