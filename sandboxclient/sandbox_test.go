package sandboxclient_test

import (
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/agentsandbox/agent-sandbox/sandboxclient"
	"github.com/agentsandbox/agent-sandbox/sandboxclient/api"
)

// Where the requests for a sandbox go, and what its ports are called.
func TestDataPlaneAddresses(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		opts   sandboxclient.Options
		domain string // in the answer to create
		host   string // that envd is asked at
		url    string // of port 8080
	}{
		"FC": {sandboxclient.Options{Domain: "cn-hangzhou.e2b.fc.aliyuncs.com"}, "",
			"49983-" + testID + ".cn-hangzhou.e2b.fc.aliyuncs.com", "https://8080-" + testID + ".cn-hangzhou.e2b.fc.aliyuncs.com"},
		"E2B, one host for all": {sandboxclient.Options{}, "", "sandbox.e2b.app", "https://8080-" + testID + ".e2b.app"},
		"the answer's domain":   {sandboxclient.Options{}, "other.example", "49983-" + testID + ".other.example", "https://8080-" + testID + ".other.example"},
		"replaced": {sandboxclient.Options{SandboxURL: "https://gateway.example/base/"}, "",
			"gateway.example", "https://8080-" + testID + ".e2b.app"},
		"local": {sandboxclient.Options{APIURL: "http://127.0.0.1:3000"}, "localhost:3000",
			"49983-" + testID + ".localhost:3000", "http://8080-" + testID + ".localhost:3000"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var mu sync.Mutex
			var hosts []string
			test.opts.HTTPClient = serveMemory(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == api.PathSandboxes {
					status(201, fmt.Sprintf(`{"sandboxID":%q,"envdVersion":"0.6.13","domain":%q}`, testID, test.domain))(w, r)
					return
				}
				mu.Lock()
				hosts = append(hosts, r.Host+" "+r.Header.Get(api.HeaderSandboxID)+" "+r.Header.Get(api.HeaderSandboxPort))
				mu.Unlock()
				w.WriteHeader(http.StatusNoContent)
			}))
			c, err := sandboxclient.New(testKey, &test.opts)
			if err != nil {
				t.Fatal(err)
			}
			s, err := c.Create(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			if running, err := s.Running(t.Context()); !running || err != nil {
				t.Errorf("running: %v, %v", running, err)
			}
			if want := test.host + " " + testID + " 49983"; len(hosts) != 1 || hosts[0] != want {
				t.Errorf("asked %v, want %s", hosts, want)
			}
			if got := s.URL(8080); got != test.url {
				t.Errorf("url %s, want %s", got, test.url)
			}
		})
	}
}

func TestSandboxHandle(t *testing.T) {
	t.Parallel()
	b := newBackend(t, "0.6.13")
	s, ctx := b.sandbox(), t.Context()
	if s.ID != testID || s.TemplateID != "base" || s.EnvdVersion != "0.6.13" || s.AccessToken() != testToken || s.TrafficToken() != "" {
		t.Errorf("handle %+v", s)
	}
	if info, err := s.Info(ctx); err != nil || info.SandboxID != testID {
		t.Errorf("info: %+v, %v", info, err)
	}
	for name, err := range map[string]error{
		"set timeout": s.SetTimeout(ctx, time.Minute), "pause": s.Pause(ctx, nil), "kill": s.Kill(ctx),
	} {
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestHandleOfAStrangeAnswer(t *testing.T) {
	t.Parallel()
	for _, answer := range []string{
		`{"sandboxID":"../../admin","envdVersion":"0.6.13"}`, `{"sandboxID":"a b"}`, `{"sandboxID":"x","domain":"evil.example/path?"}`,
	} {
		if _, err := (&scripted{t: t, answer: status(201, answer)}).client().Create(t.Context(), nil); !sandboxclient.IsOutcomeUnknown(err) {
			t.Errorf("%s: %v", answer, err)
		}
	}
}

func TestPredicates(t *testing.T) {
	t.Parallel()
	predicates := map[sandboxclient.Code]func(error) bool{
		sandboxclient.CodeNotFound: sandboxclient.IsNotFound, sandboxclient.CodeRateLimited: sandboxclient.IsRateLimited,
		sandboxclient.CodeQuotaExceeded: sandboxclient.IsQuotaExceeded, sandboxclient.CodeUnauthenticated: sandboxclient.IsUnauthenticated,
		sandboxclient.CodePortClosed: sandboxclient.IsPortClosed, sandboxclient.CodeUnavailable: sandboxclient.IsUnavailable,
		sandboxclient.CodeOutcomeUnknown: sandboxclient.IsOutcomeUnknown, sandboxclient.CodeTimeout: sandboxclient.IsTimeout,
		sandboxclient.CodeCanceled: sandboxclient.IsCanceled, sandboxclient.CodeSandboxGone: sandboxclient.IsSandboxGone,
	}
	for code := range predicates {
		err := fmt.Errorf("wrapped: %w", &sandboxclient.Error{Op: "x", Code: code})
		for other, is := range predicates {
			if is(err) != (code == other) {
				t.Errorf("%s taken for %s: %v", code, other, is(err))
			}
		}
	}
	if !sandboxclient.IsSandboxGone(&sandboxclient.Error{Code: sandboxclient.CodeNotFound, Resource: sandboxclient.ResourceSandbox}) {
		t.Error("a sandbox that was not found is not gone")
	}
	if sandboxclient.CodeOf(nil) != "" || sandboxclient.IsNotFound(nil) {
		t.Error("nil has a code")
	}
}
