package e2e_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/agentsandbox/agent-sandbox/e2e/internal/harness"
)

func TestMain(m *testing.M) {
	if err := harness.Adopt(); err != nil {
		fmt.Fprintln(os.Stderr, "e2e: leftovers cannot be watched for:", err)
		os.Exit(1)
	}
	code := m.Run()
	harness.Cleanup()
	os.Exit(code)
}
