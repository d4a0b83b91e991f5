package e2e_test

import (
	"testing"
	"time"

	"github.com/agentsandbox/agent-sandbox/e2e/internal/harness"
)

// TestContainersAreRemoved does not run beside others: it counts.
func TestContainersAreRemoved(t *testing.T) { //nolint:paralleltest // it counts what others would add to
	harness.NeedContainer(t)
	ctx := limited(t, time.Minute)
	before := harness.Containers(ctx, t)
	t.Run("backend", func(t *testing.T) {
		backend := harness.StartBackend(ctx, t, nil)
		equal(t, "containers", harness.Containers(ctx, t), before+1)
		if backend.Took > 5*time.Second {
			t.Errorf("the backend took %s to answer, want at most 5s", backend.Took)
		}
		backend.Kill(ctx) // an ended container is to be removed too
	})
	equal(t, "containers afterwards", harness.Containers(ctx, t), before)
}
