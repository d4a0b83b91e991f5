package cli

import (
	"slices"
	"testing"
)

func TestBootstrapArgs(t *testing.T) {
	t.Parallel()
	env := map[string]string{}
	getenv := func(name string) string { return env[name] }
	if got := bootstrapArgs(getenv); !slices.Contains(got, "0.0.0.0:9000") || slices.Contains(got, "--newest-protocol") {
		t.Errorf("without an environment: %v", got)
	}
	env["FC_CUSTOM_LISTEN_PORT"] = "8080"
	env["ABX_MCP_SESSION_AFFINITY"] = "MCP_STREAMABLE"
	got := bootstrapArgs(getenv)
	if !slices.Contains(got, "0.0.0.0:8080") || got[len(got)-1] != "2025-06-18" {
		t.Errorf("with affinity: %v", got)
	}
}
