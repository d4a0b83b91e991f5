package fcdeploy_test

import (
	"os/exec"
	"strings"
	"testing"
)

// Who writes artifacts, or tests against the emulator, links no SDK of the
// vendor: those are for the drivers alone.
func TestOnlyDriversLinkAnSDK(t *testing.T) {
	t.Parallel()
	for _, pkg := range []string{".", "./fctest", "./cmd/fcemu"} {
		out, err := exec.CommandContext(t.Context(), "go", "list", "-deps", pkg).CombinedOutput()
		if err != nil {
			t.Fatalf("go list: %v\n%s", err, out)
		}
		for dep := range strings.Lines(string(out)) {
			dep = strings.TrimSpace(dep)
			if strings.Contains(dep, "alibaba") || strings.Contains(dep, "aliyun") || strings.Contains(dep, "resty") {
				t.Errorf("%s imports %s", pkg, dep)
			}
			if ours, ok := strings.CutPrefix(dep, "github.com/agentsandbox/agent-sandbox/"); ok && !strings.HasPrefix(ours, "fcdeploy") {
				t.Errorf("%s imports %s, which is released apart", pkg, dep)
			}
		}
	}
}
