package harness

import (
	"fmt"
	"testing"
	"time"
)

// Scenario runs a part of a test and prints one line about it on standard
// output, where it can be read whether or not it failed.
func Scenario(t *testing.T, name string, try func(t *testing.T)) {
	t.Helper()
	t.Run(name, func(t *testing.T) {
		begun := time.Now()
		t.Cleanup(func() {
			fmt.Printf("scenario %-4s %6.1fs %s\n", outcome(t), time.Since(begun).Seconds(), t.Name())
		})
		try(t)
	})
}

func outcome(t *testing.T) string {
	switch {
	case t.Failed():
		return "FAIL"
	case t.Skipped():
		return "skip"
	default:
		return "ok"
	}
}
