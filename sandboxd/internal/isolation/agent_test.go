package isolation_test

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/isolation"
	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/proctree"
)

// report is what the agent of these tests answers for one command.
type report struct {
	Stdout, Stderr string
	Exit           int
}

// serveProbe is the agent of these tests: it runs one shell script a request.
func serveProbe(l net.Listener, place *isolation.Place, config json.RawMessage) error {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /place", func(w http.ResponseWriter, _ *http.Request) {
		json.NewEncoder(w).Encode(map[string]any{"place": place, "config": config})
	})
	mux.HandleFunc("POST /run", func(w http.ResponseWriter, r *http.Request) {
		json.NewEncoder(w).Encode(runScript(place, r))
	})
	return http.Serve(l, mux)
}

func runScript(place *isolation.Place, r *http.Request) report {
	var script bytes.Buffer
	script.ReadFrom(r.Body)
	var out, errs bytes.Buffer
	cmd := exec.Command("/bin/sh", "-c", script.String())
	if tool, ok := strings.CutPrefix(script.String(), "@"); ok {
		cmd = toolCommand(strings.Fields(tool))
	}
	cmd.Dir, cmd.Stdout, cmd.Stderr = place.Home, &out, &errs
	cmd.Env = []string{"PATH=" + cmp.Or(place.Path, os.Getenv("PATH")), "HOME=" + place.Home}
	for name, value := range place.Env {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	cmd.WaitDelay = 100 * time.Millisecond
	if err := proctree.StartPlain(cmd.Start); err != nil {
		return report{Stderr: err.Error(), Exit: -1}
	}
	err := cmd.Wait()
	if _, ok := errors.AsType[*exec.ExitError](err); err != nil && !ok && !errors.Is(err, exec.ErrWaitDelay) {
		fmt.Fprintln(&errs, err)
	}
	return report{Stdout: out.String(), Stderr: errs.String(), Exit: cmd.ProcessState.ExitCode()}
}

// box is a sandbox under test.
type box struct {
	isolation.Sandbox
	t *testing.T
}

func (b *box) client() *http.Client {
	return &http.Client{Transport: &http.Transport{
		DisableKeepAlives: true,
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return b.Dial(ctx)
		},
	}}
}

func (b *box) run(script string) report {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.t.Context(), 60*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://sandbox/run", bytes.NewBufferString(script))
	if err != nil {
		b.t.Fatal(err)
	}
	resp, err := b.client().Do(req)
	if err != nil {
		b.t.Fatal(err)
	}
	defer resp.Body.Close()
	var r report
	if err := json.NewDecoder(resp.Body).Decode(&r); err != nil {
		b.t.Fatal(err)
	}
	return r
}

// output runs a script that must succeed.
func (b *box) output(script string) string {
	b.t.Helper()
	r := b.run(script)
	if r.Exit != 0 {
		b.t.Fatalf("%s: exit %d: %s%s", script, r.Exit, r.Stdout, r.Stderr)
	}
	return r.Stdout
}

// try runs one of the tools and returns what it printed.
func (b *box) try(tool string) string {
	b.t.Helper()
	return strings.TrimSpace(b.output("@" + tool))
}

func rand8() string { return strings.ToLower(rand.Text()[:8]) }

func start(t *testing.T, l isolation.Launcher, spec *isolation.Spec) *box {
	t.Helper()
	if spec.ID == "" {
		spec.ID = "test-" + rand8()
	}
	s, err := l.Start(t.Context(), spec)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
		defer cancel()
		if err := s.Kill(ctx); err != nil {
			t.Error(err)
		}
	})
	return &box{Sandbox: s, t: t}
}
