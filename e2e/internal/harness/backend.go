package harness

import (
	"context"
	"crypto/rand"
	"testing"
	"time"

	"github.com/agentsandbox/agent-sandbox/sandboxclient"
)

// startLimit is how long a backend may take until it answers, once the image is
// built.
const startLimit = 5 * time.Second

// Backend is a sandboxd of its own for one test: in a container where there is
// an engine, else in a process.
type Backend struct {
	URL, APIKey string
	// Took is the time from the start to the first answer.
	Took time.Duration

	t       testing.TB
	machine machine
}

// BackendOptions configure a Backend.
type BackendOptions struct {
	Args   []string // further ones of sandboxd
	DiskMB int      // size of the disk of all sandboxes together; containers only
}

// machine is what a sandboxd runs on, and what faults are done to.
type machine interface {
	pause(ctx context.Context) error
	resume(ctx context.Context) error
	kill(ctx context.Context) error
	start(ctx context.Context) error // again, after kill
	logs() string
	close(ctx context.Context) error
}

// StartBackend starts a backend that ends with the test. opts may be nil. A
// failed test shows its log.
func StartBackend(ctx context.Context, t testing.TB, opts *BackendOptions) *Backend {
	t.Helper()
	if opts == nil {
		opts = &BackendOptions{}
	}
	start := startProcess
	if engine() == nil {
		start = startContainer
	}
	b := &Backend{t: t, APIKey: "key-" + rand.Text()}
	begun := time.Now()
	var err error
	b.machine, b.URL, err = start(ctx, t, b.APIKey, opts)
	if b.machine != nil {
		t.Cleanup(b.stop)
	}
	if err != nil {
		t.Fatalf("start backend: %v", err)
	}
	b.awaitAnswer(ctx)
	b.Took = time.Since(begun)
	return b
}

func (b *Backend) stop() {
	if b.t.Failed() {
		b.t.Logf("log of the backend:\n%s", b.machine.logs())
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := b.machine.close(ctx); err != nil {
		b.t.Errorf("end backend: %v", err)
	}
}

// Env is the environment by which abx finds the backend at url: its own, or
// that of a proxy before it.
func (b *Backend) Env(url string) []string {
	return []string{"ABX_SANDBOX_BASE_URL=" + url, "ABX_SANDBOX_URL=" + url, "ABX_SANDBOX_API_KEY=" + b.APIKey}
}

// Client is a client that goes straight to the backend.
func (b *Backend) Client() *sandboxclient.Client {
	b.t.Helper()
	client, err := sandboxclient.New(b.APIKey, &sandboxclient.Options{APIURL: b.URL, SandboxURL: b.URL})
	if err != nil {
		b.t.Fatal(err)
	}
	return client
}

// Sandboxes lists the ids of all sandboxes.
func (b *Backend) Sandboxes(ctx context.Context) []string {
	b.t.Helper()
	ids, err := b.list(ctx)
	if err != nil {
		b.t.Fatalf("list sandboxes: %v", err)
	}
	return ids
}

func (b *Backend) list(ctx context.Context) ([]string, error) {
	var ids []string
	for info, err := range b.Client().List(ctx, nil) {
		if err != nil {
			return nil, err
		}
		ids = append(ids, info.SandboxID)
	}
	return ids, nil
}

// AwaitNoSandbox fails the test when there still are sandboxes after the limit.
func (b *Backend) AwaitNoSandbox(ctx context.Context, limit time.Duration) {
	b.t.Helper()
	deadline := time.Now().Add(limit)
	left := b.Sandboxes(ctx)
	for len(left) > 0 && time.Now().Before(deadline) {
		time.Sleep(50 * time.Millisecond) // nothing tells of the end of a sandbox
		left = b.Sandboxes(ctx)
	}
	if len(left) > 0 {
		b.t.Errorf("%s later these sandboxes are left: %q", limit, left)
	}
}

// awaitAnswer waits until the backend lists its sandboxes.
func (b *Backend) awaitAnswer(ctx context.Context) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(ctx, 4*startLimit)
	defer cancel()
	for {
		_, err := b.list(ctx)
		if err == nil {
			return
		}
		select {
		case <-time.After(20 * time.Millisecond):
		case <-ctx.Done():
			b.t.Fatalf("the backend does not answer: %v\n%s", err, b.machine.logs())
		}
	}
}

// Pause stops all of the backend's processes where they are.
func (b *Backend) Pause(ctx context.Context) { b.do("pause", b.machine.pause(ctx)) }

// Resume lets them go on.
func (b *Backend) Resume(ctx context.Context) { b.do("resume", b.machine.resume(ctx)) }

// Kill ends the backend without a warning, and all of its sandboxes.
func (b *Backend) Kill(ctx context.Context) { b.do("kill", b.machine.kill(ctx)) }

// Restart kills the backend and starts it at the same address.
func (b *Backend) Restart(ctx context.Context) {
	b.t.Helper()
	b.Kill(ctx)
	b.do("start", b.machine.start(ctx))
	b.awaitAnswer(ctx)
}

func (b *Backend) do(what string, err error) {
	b.t.Helper()
	if err != nil {
		b.t.Fatalf("%s backend: %v", what, err)
	}
}
