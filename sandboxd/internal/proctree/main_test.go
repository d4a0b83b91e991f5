package proctree_test

import (
	"os"
	"os/exec"
	"testing"
)

// shimName is argv[0] of this test binary as the shim of a benchmark.
const shimName = "shim"

func TestMain(m *testing.M) {
	if os.Args[0] == shimName {
		if exec.Command(os.Args[1]).Run() != nil {
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}
