package sandboxd_test

import (
	"os/exec"
	"slices"
	"testing"
	"time"

	"github.com/agentsandbox/agent-sandbox/sandboxclient"
	"github.com/agentsandbox/agent-sandbox/sandboxd"
)

func benchServer(b *testing.B, isolation string) (*sandboxd.Server, *sandboxclient.Client) {
	b.Helper()
	s, err := sandboxd.New(&sandboxd.Options{Isolation: isolation, MaxSandboxes: 1000})
	if err != nil {
		b.Skipf("isolation %s: %v", isolation, err)
	}
	b.Cleanup(func() { s.Close() })
	client, err := sandboxclient.New(s.APIKey(), &sandboxclient.Options{
		APIURL: "http://sandboxd", SandboxURL: "http://sandboxd", HTTPClient: s.HTTPClient(), AllowInsecure: true,
	})
	if err != nil {
		b.Fatal(err)
	}
	return s, client
}

// firstOutput makes a sandbox and waits for the output of a command in it.
func firstOutput(b *testing.B, client *sandboxclient.Client) *sandboxclient.Sandbox {
	b.Helper()
	sandbox, err := client.Create(b.Context(), nil)
	if err != nil {
		b.Fatal(err)
	}
	result, err := sandbox.Commands.Run(b.Context(), "echo ready", nil)
	if err != nil || result.Stdout.String() != "ready\n" {
		b.Fatalf("got %+v, %v", result, err)
	}
	return sandbox
}

// BenchmarkCreateToFirstOutput is what an agent waits for. The baseline is
// the same shell started on this machine.
func BenchmarkCreateToFirstOutput(b *testing.B) {
	b.Run("shell on the machine", func(b *testing.B) {
		for b.Loop() {
			if err := exec.Command("/bin/bash", "-l", "-c", "echo ready").Run(); err != nil {
				b.Fatal(err)
			}
		}
	})
	for _, isolation := range []string{"none", "namespace"} {
		b.Run(isolation, func(b *testing.B) {
			_, client := benchServer(b, isolation)
			var took []time.Duration
			for b.Loop() {
				began := time.Now()
				sandbox := firstOutput(b, client)
				took = append(took, time.Since(began))
				if err := sandbox.Kill(b.Context()); err != nil {
					b.Fatal(err)
				}
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
		})
	}
}

// BenchmarkCommand is one command in a sandbox that is there already.
func BenchmarkCommand(b *testing.B) {
	for _, isolation := range []string{"none", "namespace"} {
		b.Run(isolation, func(b *testing.B) {
			_, client := benchServer(b, isolation)
			sandbox := firstOutput(b, client)
			for b.Loop() {
				if _, err := sandbox.Commands.Run(b.Context(), "true", nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkManyAlive makes 200 sandboxes and uses each while all live.
func BenchmarkManyAlive(b *testing.B) {
	const many = 200
	_, client := benchServer(b, "namespace")
	for b.Loop() {
		sandboxes := make([]*sandboxclient.Sandbox, many)
		for i := range sandboxes {
			sandboxes[i] = firstOutput(b, client)
		}
		for _, sandbox := range sandboxes {
			if _, err := sandbox.Commands.Run(b.Context(), "true", nil); err != nil {
				b.Fatal(err)
			}
		}
		for _, sandbox := range sandboxes {
			if err := sandbox.Kill(b.Context()); err != nil {
				b.Fatal(err)
			}
		}
	}
}
