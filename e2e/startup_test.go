package e2e_test

import (
	"bytes"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/agentsandbox/agent-sandbox/e2e/internal/harness"
)

// initLine is a line of GODEBUG=inittrace=1: package, start, and the time that
// its initialization took.
var initLine = regexp.MustCompile(`(?m)^init (\S+) @\S+ ms, (\S+) ms clock`)

// TestPackageInitialization prints what all packages of abx together do before
// main: every process of a local sandbox pays it.
func TestPackageInitialization(t *testing.T) {
	t.Parallel()
	cmd := harness.Command(t, "version")
	cmd.Env = append(cmd.Env, "GODEBUG=inittrace=1")
	var trace bytes.Buffer
	cmd.Stderr = &trace
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	var total, ours float64
	for _, m := range initLine.FindAllSubmatch(trace.Bytes(), -1) {
		ms, err := strconv.ParseFloat(string(m[2]), 64)
		if err != nil {
			t.Fatalf("%s: %v", m[0], err)
		}
		total += ms
		if bytes.HasPrefix(m[1], []byte("github.com/agentsandbox/")) {
			ours += ms
		}
	}
	if total == 0 {
		t.Fatalf("no trace:\n%s", trace.Bytes())
	}
	t.Logf("packages are initialized in %.2f ms, of which ours take %.2f ms", total, ours)
}

// BenchmarkStart compares abx with a program that only links the MCP SDK, in
// turn. The fastest of each counts, since all that disturbs a start slows it.
func BenchmarkStart(b *testing.B) {
	bare := filepath.Join(b.TempDir(), "sdkonly")
	build := exec.Command("go", "build", "-o", bare, "./internal/sdkonly")
	build.Env = append(build.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		b.Fatalf("build: %v\n%s", err, out)
	}
	var ours, theirs []time.Duration
	for b.Loop() {
		ours = append(ours, timed(b, harness.Command(b, "version")))
		theirs = append(theirs, timed(b, exec.Command(bare)))
	}
	b.ReportMetric(float64(slices.Min(ours))/float64(slices.Min(theirs)), "times-the-SDK")
}

func timed(tb testing.TB, cmd *exec.Cmd) time.Duration {
	tb.Helper()
	started := time.Now()
	if err := cmd.Run(); err != nil {
		tb.Fatal(err)
	}
	return time.Since(started)
}
