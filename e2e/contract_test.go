package e2e_test

import (
	"maps"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/agentsandbox/agent-sandbox/e2e/internal/harness"
	"github.com/agentsandbox/agent-sandbox/sandboxclient"
	"github.com/agentsandbox/agent-sandbox/sandboxd/sandboxtest/contract"
)

// TestContract runs the contract of backends against the container.
func TestContract(t *testing.T) {
	t.Parallel()
	harness.NeedContainer(t) // sandboxd's own tests try the process
	backend := harness.StartBackend(t.Context(), t, nil)
	harness.Scenario(t, "container", func(t *testing.T) {
		contract.Run(t, contract.Target{
			Client: backend.Client(), CaseTimeout: time.Minute, Languages: []string{"javascript", "typescript", "bash"},
			Fetch: func(sandbox *sandboxclient.Sandbox, port int, r *http.Request) (*http.Response, error) {
				r.URL.Scheme, r.URL.Host, r.Host = "http", strings.TrimPrefix(backend.URL, "http://"), ""
				maps.Copy(r.Header, contract.Header(sandbox, port))
				return http.DefaultClient.Do(r)
			},
		})
	})
	equal(t, "sandboxes", len(backend.Sandboxes(t.Context())), 0)
}
