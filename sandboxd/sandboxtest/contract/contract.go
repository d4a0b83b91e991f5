package contract

import (
	"cmp"
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/agentsandbox/agent-sandbox/sandboxclient"
)

// Target is a backend to try; Client is required.
type Target struct {
	Client *sandboxclient.Client
	// Template has no code interpreter; "" = base.
	Template string
	// CodeTemplate has one; "" = code-interpreter-v1.
	CodeTemplate string
	// Languages of the interpreter beside python that are tried: javascript,
	// typescript, bash, r.
	Languages []string
	// Fetch makes a request of a port of a sandbox; nil leaves the cases out
	// that need it. See Header.
	Fetch func(sandbox *sandboxclient.Sandbox, port int, r *http.Request) (*http.Response, error)
	// Skip leaves cases out, by name, for the reason given.
	Skip map[string]string
	// CaseTimeout bounds one case; 0 = 2 minutes.
	CaseTimeout time.Duration
}

// one is a case of the suite.
type one struct {
	name string
	run  func(*run)
}

// cases lists the suite by area.
func cases() map[string][]one {
	return map[string][]one{
		"life":     lifeCases,
		"commands": commandCases,
		"files":    fileCases,
		"code":     codeCases,
		"ports":    portCases,
	}
}

// Run tries every case.
func Run(t *testing.T, target Target) {
	t.Helper()
	target.Template = cmp.Or(target.Template, "base")
	target.CodeTemplate = cmp.Or(target.CodeTemplate, "code-interpreter-v1")
	target.CaseTimeout = cmp.Or(target.CaseTimeout, 2*time.Minute)
	for area, list := range cases() {
		t.Run(area, func(t *testing.T) {
			t.Parallel()
			for _, c := range list {
				t.Run(c.name, func(t *testing.T) { target.try(t, area+"/"+c.name, c.run) })
			}
		})
	}
}

func (target Target) try(t *testing.T, name string, try func(*run)) {
	t.Parallel()
	if reason, ok := target.Skip[name]; ok {
		t.Skipf("left out for this backend: %s", reason)
	}
	ctx, cancel := context.WithTimeout(t.Context(), target.CaseTimeout)
	defer cancel()
	try(&run{T: t, Target: target, ctx: ctx})
}

// run is one case at work.
type run struct {
	*testing.T
	Target
	ctx context.Context
}

// life is how long a sandbox of a case may live, should the suite die.
const life = 5 * time.Minute

// create makes a sandbox that ends with the case; opts may be nil.
func (r *run) create(opts *sandboxclient.CreateOptions) *sandboxclient.Sandbox {
	r.Helper()
	if opts == nil {
		opts = &sandboxclient.CreateOptions{}
	}
	opts.Template = cmp.Or(opts.Template, r.Template)
	opts.Timeout = cmp.Or(opts.Timeout, life)
	sandbox, err := r.Client.Create(r.ctx, opts)
	if err != nil {
		r.Fatalf("create: %v", err)
	}
	r.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
		defer cancel()
		if err := r.Client.Kill(ctx, sandbox.ID); err != nil && !sandboxclient.IsNotFound(err) {
			r.Errorf("kill %s after the case: %v", sandbox.ID, err)
		}
	})
	return sandbox
}

// check fails the case over an error that it cannot go on after.
func (r *run) check(what string, err error) {
	r.Helper()
	if err != nil {
		r.Fatalf("%s: %v", what, err)
	}
}

// wantCode fails the case unless err is of that kind.
func (r *run) wantCode(what string, err error, want sandboxclient.Code) {
	r.Helper()
	if got := sandboxclient.CodeOf(err); err == nil || got != want {
		r.Errorf("%s: got %v (code %q), want code %q", what, err, got, want)
	}
}

// sh runs a command that has to succeed, and returns its output.
func (r *run) sh(sandbox *sandboxclient.Sandbox, command string) string {
	r.Helper()
	result, err := sandbox.Commands.Run(r.ctx, command, nil)
	if err != nil {
		r.Fatalf("run %q: %v", command, err)
	}
	if result.ExitCode != 0 {
		r.Fatalf("run %q: exit code %d, stderr %q", command, result.ExitCode, result.Stderr.String())
	}
	return result.Stdout.String()
}

// eventually waits until holds is true, for what has no event.
func (r *run) eventually(what string, holds func() bool) {
	r.Helper()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for !holds() {
		select {
		case <-tick.C:
		case <-r.ctx.Done():
			r.Fatalf("waited for %s: %v", what, r.ctx.Err())
		}
	}
}
