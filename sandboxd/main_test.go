package sandboxd_test

import (
	"os"
	"testing"

	"github.com/agentsandbox/agent-sandbox/sandboxd"
)

func TestMain(m *testing.M) {
	sandboxd.Init()
	os.Exit(m.Run())
}
