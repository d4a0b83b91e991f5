package isolation_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/isolation"
)

// BenchmarkStart measures a sandbox from Start to the first answer of its
// agent, and its end. Compare with BenchmarkNoneStart of the same run.
func BenchmarkStart(b *testing.B) { benchmarkStart(b, isolation.Namespace, isolation.StorageMemory) }

func BenchmarkDiskStart(b *testing.B) {
	benchmarkStart(b, isolation.Namespace, isolation.StorageDisk)
}

func BenchmarkNoneStart(b *testing.B) { benchmarkStart(b, isolation.None, isolation.StorageMemory) }

func benchmarkStart(b *testing.B, name, storage string) {
	dir, err := os.MkdirTemp("", "abx-bench-")
	if err != nil {
		b.Fatal(err)
	}
	defer os.RemoveAll(dir)
	if err := os.Chmod(dir, 0o711); err != nil {
		b.Fatal(err)
	}
	l, err := isolation.Choose(name, &isolation.Options{StateDir: filepath.Join(dir, "state")})
	if err != nil {
		b.Fatal(err)
	}
	defer l.Close()
	if err := l.Probe(b.Context()); err != nil {
		b.Skip(err)
	}
	var starts, ends []time.Duration
	for i := 0; b.Loop(); i++ {
		start, end := oneLife(b, l, &isolation.Spec{ID: fmt.Sprint("bench-", i), Storage: storage})
		starts, ends = append(starts, start), append(ends, end)
	}
	for what, times := range map[string][]time.Duration{"start": starts, "end": ends} {
		slices.Sort(times)
		for _, p := range []int{50, 90, 99} {
			at := times[min(len(times)-1, len(times)*p/100)]
			b.ReportMetric(float64(at.Microseconds())/1000, fmt.Sprintf("ms-%s-p%d", what, p))
		}
	}
}

func oneLife(b *testing.B, l isolation.Launcher, spec *isolation.Spec) (start, end time.Duration) {
	began := time.Now()
	s, err := l.Start(b.Context(), spec)
	if err != nil {
		b.Fatal(err)
	}
	if _, err := http204(b.Context(), s); err != nil {
		b.Fatal(err)
	}
	start = time.Since(began)
	began = time.Now()
	if err := s.Kill(b.Context()); err != nil {
		b.Fatal(err)
	}
	return start, time.Since(began)
}

// BenchmarkAlive keeps 200 sandboxes at once and reports what one costs. One
// iteration takes seconds: run it with -benchtime 1x.
func BenchmarkAlive(b *testing.B) {
	const alive = 200
	dir := b.TempDir()
	l, err := isolation.Choose(isolation.Namespace, &isolation.Options{StateDir: filepath.Join(dir, "state")})
	if err != nil {
		b.Fatal(err)
	}
	defer l.Close()
	for b.Loop() {
		before := available(b)
		var all []isolation.Sandbox
		for i := range alive {
			s, err := l.Start(b.Context(), &isolation.Spec{ID: fmt.Sprint("alive-", i)})
			if err != nil {
				b.Fatal(err)
			}
			if _, err := http204(b.Context(), s); err != nil {
				b.Fatal(err)
			}
			all = append(all, s)
		}
		b.ReportMetric(float64(before-available(b))/alive/1024, "MiB/sandbox")
		for _, s := range all {
			if err := s.Kill(context.Background()); err != nil {
				b.Fatal(err)
			}
		}
	}
}

// available is MemAvailable in KiB.
func available(b *testing.B) int {
	text, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		b.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), "MemAvailable:")
	var kib int
	if _, err := fmt.Sscan(rest, &kib); err != nil {
		b.Fatal(err)
	}
	return kib
}
