package cli

import (
	"testing"

	"github.com/agentsandbox/agent-sandbox/abx/internal/cmdutil"
	"github.com/agentsandbox/agent-sandbox/abx/internal/iostreams"
)

// BenchmarkNewRoot measures what every command pays for the tree of all.
func BenchmarkNewRoot(b *testing.B) {
	ios, _, _, _ := iostreams.Test()
	b.ReportAllocs()
	for b.Loop() {
		NewRoot(&cmdutil.Factory{IO: ios, Getenv: func(string) string { return "" }})
	}
}
