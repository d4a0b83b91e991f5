package sandboxclient_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"
)

// nodeModules names a folder that has the official npm package e2b (2.45, which
// creates through v1) in its node_modules.
const nodeModules = "SANDBOXCLIENT_NODE_DIR"

// BenchmarkAgainstSDK does the same work against the same instant backend with
// the official npm SDK and with this package: a command without output, and a
// file of 10 MB there and back.
func BenchmarkAgainstSDK(b *testing.B) {
	dir := os.Getenv(nodeModules)
	if dir == "" {
		b.Skip("set " + nodeModules + " to a folder with the npm package e2b in node_modules")
	}
	const content = 10_000_000
	s := newStub(b, "0.6.13", 0, content)
	sandbox := s.sandbox(b)
	file := make([]byte, content)
	work := map[string]func() error{
		"command": func() error { _, err := sandbox.Commands.Run(b.Context(), "true", nil); return err },
		"file": func() error {
			if _, err := sandbox.Files.Write(b.Context(), "/x", file, nil); err != nil {
				return err
			}
			_, err := sandbox.Files.Read(b.Context(), "/x", nil)
			return err
		},
	}
	for name, once := range work {
		b.Run(name, func(b *testing.B) {
			if err := once(); err != nil { // warm, as the SDK is
				b.Fatal(err)
			}
			var ours time.Duration
			for b.Loop() {
				start := time.Now()
				if err := once(); err != nil {
					b.Fatal(err)
				}
				ours += time.Since(start)
			}
			theirs := timeSDK(b, dir, s.URL, name, b.N)
			b.ReportMetric(float64(ours.Nanoseconds())/float64(b.N), "client-ns/op")
			b.ReportMetric(float64(theirs.Nanoseconds()), "sdk-ns/op")
			b.ReportMetric(float64(ours)/float64(b.N)/float64(theirs), "of-sdk")
		})
	}
}

// timeSDK gives the time of one piece of work with the SDK.
func timeSDK(b *testing.B, dir, url, work string, n int) time.Duration {
	b.Helper()
	temp := b.TempDir()
	script, err := os.ReadFile("testdata/bench.mjs")
	if err != nil {
		b.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(temp, "bench.mjs"), script, 0o600); err != nil {
		b.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(dir, "node_modules"), filepath.Join(temp, "node_modules")); err != nil {
		b.Fatal(err)
	}
	cmd := exec.CommandContext(b.Context(), "node", "bench.mjs", work, strconv.Itoa(n))
	cmd.Dir = temp
	cmd.Env = append(os.Environ(), "E2B_API_KEY="+testKey, "E2B_API_URL="+url, "E2B_SANDBOX_URL="+url)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		b.Fatal(err)
	}
	var nanoseconds float64
	if err := json.Unmarshal(out, &nanoseconds); err != nil {
		b.Fatalf("%s: %v", out, err)
	}
	return time.Duration(nanoseconds)
}
