package e2e_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/agentsandbox/agent-sandbox/e2e/internal/harness"
)

// TestTheNearestSettingWins sets the template in each place that has one, the
// farthest first, and looks at the sandbox that abx then makes: a template that
// the backend does not have is refused by its name.
func TestTheNearestSettingWins(t *testing.T) {
	t.Parallel()
	ctx := limited(t, time.Minute)
	backend := harness.StartBackend(ctx, t, nil)
	d := newDesk(t)
	env := backend.Env(backend.URL)
	template := func(t *testing.T, env []string, flags ...string) string {
		t.Helper()
		args := append([]string{"--json", "mcp", "call"}, flags...)
		out := d.abx(t, env, append(args, "create_sandbox")...)
		var answer struct {
			StructuredContent struct {
				Template string `json:"template"`
			} `json:"structuredContent"`
		}
		if err := json.Unmarshal([]byte(out), &answer); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		return answer.StructuredContent.Template
	}
	harness.Scenario(t, "template", func(t *testing.T) {
		equal(t, "default", template(t, env), "code-interpreter-v1")
		d.abx(t, nil, "config", "set", "template", "base")
		equal(t, "file over default", template(t, env), "base")
		env = append(env, "ABX_DEFAULT_TEMPLATE=code-interpreter-v1")
		equal(t, "environment over file", template(t, env), "code-interpreter-v1")
		equal(t, "flag over environment", template(t, env, "--template", "base"), "base")
	})
	harness.Scenario(t, "backend", func(t *testing.T) {
		for _, key := range []string{"base_url", "sandbox_url"} {
			d.abx(t, nil, "config", "set", key, "http://127.0.0.1:1") // nobody listens there
		}
		equal(t, "environment over file", template(t, env), "code-interpreter-v1")
		away := []string{"ABX_SANDBOX_BASE_URL=http://127.0.0.1:1", "ABX_SANDBOX_URL=http://127.0.0.1:1", "ABX_SANDBOX_API_KEY=" + backend.APIKey}
		equal(t, "flag over environment", template(t, away, "--base-url", backend.URL, "--sandbox-url", backend.URL, "-t", "base"), "base")
		equal(t, "a key does not outweigh --local", template(t, away, "--local", "-t", "base"), "base")
	})
	backend.AwaitNoSandbox(ctx, leftLimit)
}
