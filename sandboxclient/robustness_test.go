package sandboxclient_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/agentsandbox/agent-sandbox/sandboxclient"
	"github.com/agentsandbox/agent-sandbox/sandboxclient/api"
)

const (
	startPath = "/process.Process/Start"
	statPath  = "/filesystem.Filesystem/Stat"
)

// gatewayAnswers are what stands in front of a sandbox that is not routed yet.
var gatewayAnswers = map[string]http.HandlerFunc{
	"HTML 502":  func(w http.ResponseWriter, _ *http.Request) { html(w, http.StatusBadGateway) },
	"HTML 404":  func(w http.ResponseWriter, _ *http.Request) { html(w, http.StatusNotFound) },
	"not found": proxyError(api.ProxyError{SandboxID: testID, Message: "The sandbox was not found", Code: 502}),
	"no port":   proxyError(api.ProxyError{SandboxID: testID, Message: "port is not open", Port: 49983, Code: 502}),
}

func html(w http.ResponseWriter, status int) {
	w.Header().Set("Content-Type", "text/html")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, "<html><h1>nginx</h1></html>")
}

func proxyError(body api.ProxyError) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { writeJSON(w, http.StatusBadGateway, body) }
}

func TestFirstCallIsSentAgainOnceTheGatewayRoutes(t *testing.T) {
	t.Parallel()
	calls := map[string]func(*sandboxclient.Sandbox) error{
		startPath: func(s *sandboxclient.Sandbox) error {
			got, err := s.Commands.Run(t.Context(), "echo hi", nil)
			if err == nil && got.Stdout.String() != "hi\n" {
				err = errors.New(got.Stdout.String())
			}
			return err
		},
		api.PathFiles: func(s *sandboxclient.Sandbox) error {
			_, err := s.Files.Write(t.Context(), "/x", []byte("x"), nil)
			return err
		},
		"/filesystem.Filesystem/MakeDir": func(s *sandboxclient.Sandbox) error { return s.Files.MakeDir(t.Context(), "/d", nil) },
	}
	for name, answer := range gatewayAnswers {
		for path, call := range calls {
			t.Run(name+path, func(t *testing.T) {
				t.Parallel()
				b := newBackend(t, "0.6.13")
				b.once(path, answer)
				b.once(api.PathHealth, answer)
				if err := call(b.sandbox()); err != nil {
					t.Fatal(err)
				}
				if n := len(b.seen(path)); n != 2 {
					t.Errorf("sent %d times, want 2", n)
				}
				if n := len(b.seen(api.PathHealth)); n != 2 && path != api.PathFiles { // which may simply be repeated
					t.Errorf("health was asked %d times, want 2", n)
				}
			})
		}
	}
}

func TestNothingStandsInFrontOfTheFirstCall(t *testing.T) {
	t.Parallel()
	b := newBackend(t, "0.6.13")
	if _, err := b.sandbox().Commands.Run(t.Context(), "true", nil); err != nil {
		t.Fatal(err)
	}
	if n := len(b.seen("/")); n != 2 {
		t.Errorf("%d requests, want create and start", n)
	}
}

func TestFirstCallGivesUp(t *testing.T) {
	t.Parallel()
	b := newBackend(t, "0.6.13")
	s, err := b.client(&sandboxclient.Options{StartupWait: 300 * time.Millisecond}).Create(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	b.setKilled(true)
	if _, err := s.Commands.Run(t.Context(), "true", nil); !sandboxclient.IsSandboxGone(err) {
		t.Errorf("got %v, want sandbox gone", err)
	}
}

// TestFirstCallDoesNotWaitForASandboxThatIsGone: the control plane knows that it
// will never start up, so the wait for that ends long before its limit.
func TestFirstCallDoesNotWaitForASandboxThatIsGone(t *testing.T) {
	t.Parallel()
	const limit = time.Minute
	b := newBackend(t, "0.6.13")
	s, err := b.client(&sandboxclient.Options{StartupWait: limit}).Create(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	b.setKilled(true)
	started := time.Now()
	if _, err := s.Commands.Run(t.Context(), "true", nil); !sandboxclient.IsSandboxGone(err) {
		t.Errorf("got %v, want sandbox gone", err)
	}
	if took := time.Since(started); took > limit/4 {
		t.Errorf("it took %v", took)
	}
}

func TestLaterCommandsAreNotSentTwice(t *testing.T) {
	t.Parallel()
	for name, answer := range gatewayAnswers {
		b := newBackend(t, "0.6.13")
		s := b.sandbox()
		if _, err := s.Commands.Run(t.Context(), "true", nil); err != nil {
			t.Fatal(err)
		}
		b.once(startPath, answer)
		if _, err := s.Commands.Run(t.Context(), "true", nil); err == nil {
			t.Errorf("%s: no error", name)
		}
		if n := len(b.seen(startPath)); n != 2 {
			t.Errorf("%s: %d commands were sent, want 2", name, n)
		}
	}
}

func TestIdempotentCallsAreRepeated(t *testing.T) {
	t.Parallel()
	for _, code := range []int{502, 503, 504} {
		b := newBackend(t, "0.6.13")
		s := b.sandbox()
		if err := s.Files.MakeDir(t.Context(), "/d", nil); err != nil {
			t.Fatal(err)
		}
		b.once(statPath, func(w http.ResponseWriter, _ *http.Request) { html(w, code) })
		if _, err := s.Files.Stat(t.Context(), "/d", nil); err != nil {
			t.Errorf("%d: %v", code, err)
		}
	}
}

func TestTheTwoKindsOf502(t *testing.T) {
	t.Parallel()
	b := newBackend(t, "0.6.13")
	s := b.sandbox()
	if _, err := s.Code.Run(t.Context(), "1", nil); !sandboxclient.IsPortClosed(err) {
		t.Errorf("interpreter absent: got %v, want port closed", err)
	}
	if err := s.Kill(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Commands.Run(t.Context(), "true", nil); !sandboxclient.IsSandboxGone(err) {
		t.Errorf("killed: got %v, want sandbox gone", err)
	}
	if running, err := s.Running(t.Context()); running || err != nil {
		t.Errorf("running: %v, %v", running, err)
	}
}

// Some gateways say 502 with a page for everything; the control plane knows.
func TestUnclear502(t *testing.T) {
	t.Parallel()
	b := newBackend(t, "0.6.13")
	s := b.sandbox()
	if _, err := s.Commands.Run(t.Context(), "true", nil); err != nil {
		t.Fatal(err)
	}
	page := func(w http.ResponseWriter, _ *http.Request) { html(w, http.StatusBadGateway) }
	b.once(startPath, page)
	if _, err := s.Commands.Run(t.Context(), "true", nil); !sandboxclient.IsUnavailable(err) {
		t.Errorf("alive: got %v, want unavailable", err)
	}
	b.setKilled(true)
	b.once(startPath, page)
	if _, err := s.Commands.Run(t.Context(), "true", nil); !sandboxclient.IsSandboxGone(err) {
		t.Errorf("killed: got %v, want gone", err)
	}
}

// A gateway that says 502 with a page for a closed port too: envd lives, so it
// is the interpreter that is not there.
func TestUnclear502OfTheInterpreter(t *testing.T) {
	t.Parallel()
	b := newBackend(t, "0.5.2")
	b.code = func(w http.ResponseWriter, _ *http.Request) { html(w, http.StatusBadGateway) }
	s, err := b.client(&sandboxclient.Options{StartupWait: 300 * time.Millisecond}).Create(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Code.Run(t.Context(), "1", nil); !sandboxclient.IsPortClosed(err) {
		t.Errorf("got %v, want port closed", err)
	}
}

func TestRunning(t *testing.T) {
	t.Parallel()
	b := newBackend(t, "0.6.13")
	s := b.sandbox()
	if running, err := s.Running(t.Context()); !running || err != nil {
		t.Errorf("alive: %v, %v", running, err)
	}
	b.setKilled(true)
	if running, err := s.Running(t.Context()); running || err != nil {
		t.Errorf("killed: %v, %v", running, err)
	}
}

func TestLogHoldsNoSecret(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	b := newBackend(t, "0.6.13")
	b.once(startPath, func(w http.ResponseWriter, _ *http.Request) { html(w, http.StatusInternalServerError) })
	client := b.client(&sandboxclient.Options{Logger: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))})
	s, err := client.Create(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	_, failed := s.Commands.Run(t.Context(), "echo hidden-command", nil)
	_, _ = s.Files.Write(t.Context(), "/hidden-path", []byte("hidden-content"), nil)
	for _, secret := range []string{testKey, testToken, "hidden"} {
		if strings.Contains(log.String(), secret) || strings.Contains(failed.Error(), secret) {
			t.Errorf("%s is in the log or in an error", secret)
		}
	}
	if !strings.Contains(log.String(), "path="+startPath) || !strings.Contains(log.String(), "status=201") {
		t.Errorf("the log is %s", log.String())
	}
}

// cutAfter passes the first bytes of the real answer on and drops the
// connection.
func cutAfter(b *backend, limit int) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		b.data.ServeHTTP(&cuttingWriter{ResponseWriter: w, left: limit}, r)
	}
}

type cuttingWriter struct {
	http.ResponseWriter
	left int
}

func (w *cuttingWriter) Flush() { _ = http.NewResponseController(w.ResponseWriter).Flush() }

func (w *cuttingWriter) Write(p []byte) (int, error) {
	n := min(len(p), w.left)
	if w.left -= n; w.left > 0 {
		return w.ResponseWriter.Write(p)
	}
	_, _ = w.ResponseWriter.Write(p[:n])
	_ = http.NewResponseController(w.ResponseWriter).Flush()
	panic(http.ErrAbortHandler)
}

func TestCutStreamIsNoExitCode(t *testing.T) {
	t.Parallel()
	for _, version := range envds {
		for _, gone := range []bool{false, true} {
			b := newBackend(t, version)
			s := b.sandbox()
			b.once(startPath, cutAfter(b, 5000))
			var once atomic.Bool
			got, err := s.Commands.Run(t.Context(), "seq 1 100000", &sandboxclient.RunOptions{OnStdout: func([]byte) {
				if gone && !once.Swap(true) {
					b.setKilled(true)
				}
			}})
			want := sandboxclient.CodeOutcomeUnknown
			if gone && once.Load() {
				want = sandboxclient.CodeSandboxGone
			}
			if sandboxclient.CodeOf(err) != want || got == nil || got.ExitCode != -1 {
				t.Errorf("envd %s, gone %v: got %+v, %v, want %s", version, gone, got, err, want)
			}
		}
	}
}

func TestSilentStreamEnds(t *testing.T) {
	t.Parallel()
	b := newBackend(t, "0.6.13")
	s, err := b.client(&sandboxclient.Options{IdleTimeout: 300 * time.Millisecond}).Create(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	got, err := s.Commands.Run(t.Context(), "echo before; sleep 20", nil)
	if !sandboxclient.IsOutcomeUnknown(err) || got.Stdout.String() != "before\n" {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestProtobufIsGivenUpForGoodAfterA415(t *testing.T) {
	t.Parallel()
	b := newBackend(t, "0.6.13")
	s := b.sandbox()
	for range 2 {
		b.once(startPath, func(w http.ResponseWriter, r *http.Request) {
			if strings.Contains(r.Header.Get("Content-Type"), "proto") {
				w.WriteHeader(http.StatusUnsupportedMediaType)
				return
			}
			b.data.ServeHTTP(w, r)
		})
		if _, err := s.Commands.Run(t.Context(), "true", nil); err != nil {
			t.Fatal(err)
		}
	}
	var types []string
	for _, r := range b.seen(startPath) {
		types = append(types, r.Header.Get("Content-Type"))
	}
	if want := "application/connect+proto,application/connect+json,application/connect+json"; strings.Join(types, ",") != want {
		t.Errorf("sent %v, want %s", types, want)
	}
}

func TestDataPlaneHeaders(t *testing.T) {
	t.Parallel()
	for version, user := range map[string]string{"0.3.9": "Basic dXNlcjo=", "0.6.13": ""} {
		b := newBackend(t, version)
		s := b.sandbox()
		if _, err := s.Commands.Run(t.Context(), "true", nil); err != nil {
			t.Fatal(err)
		}
		h := b.seen(startPath)[0].Header
		for name, want := range map[string]string{
			"E2b-Sandbox-Id": testID, "E2b-Sandbox-Port": "49983", "X-Access-Token": testToken, "Authorization": user,
			"Keepalive-Ping-Interval": "50", "X-Api-Key": "", "Connect-Timeout-Ms": "",
		} {
			if got := h.Get(name); got != want {
				t.Errorf("envd %s: %s is %q, want %q", version, name, got, want)
			}
		}
	}
}

func TestRetryAfterIsKept(t *testing.T) {
	t.Parallel()
	calls := 0
	s := &scripted{t: t, answer: func(w http.ResponseWriter, _ *http.Request) {
		if calls++; calls == 1 {
			w.Header().Set("Retry-After", "1")
			w.WriteHeader(http.StatusTooManyRequests)
			return
		}
		status(201, sandboxJSON)(w, nil)
	}}
	start := time.Now()
	if _, err := s.client().Create(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(start); took < time.Second || calls != 2 {
		t.Errorf("%d calls in %v", calls, took)
	}
	calls = 0
	ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
	defer cancel()
	_, err := s.client().Create(ctx, nil)
	if e, ok := errors.AsType[*sandboxclient.Error](err); !ok || !sandboxclient.IsRateLimited(err) || e.RetryAfter != time.Second {
		t.Errorf("no time left: got %v", err)
	}
}

func TestCreateIsNeverSentTwiceForOneDoubt(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]http.HandlerFunc{
		"lost answer": func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
		"500":         status(500, `{"code":500,"message":"x"}`),
		"502":         func(w http.ResponseWriter, _ *http.Request) { html(w, 502) },
		"503":         status(503, ""),
		"504":         status(504, "upstream request timeout"),
	} {
		calls := 0
		s := &scripted{t: t, answer: func(w http.ResponseWriter, r *http.Request) {
			calls++
			answer(w, r)
		}}
		if _, err := s.client().Create(t.Context(), nil); !sandboxclient.IsOutcomeUnknown(err) || calls != 1 {
			t.Errorf("%s: %d calls, %v", name, calls, err)
		}
	}
}

func TestRefusedConnectionIsTriedAgain(t *testing.T) {
	t.Parallel()
	b := newBackend(t, "0.6.13")
	base := serveMemory(t, b).Transport.(*http.Transport)
	dial := base.DialTLSContext
	var refused atomic.Int32
	base.DialTLSContext = func(ctx context.Context, network, addr string) (net.Conn, error) {
		if refused.Add(1) <= 2 {
			return nil, &net.OpError{Op: "dial", Net: network, Err: errors.New("connection refused")}
		}
		return dial(ctx, network, addr)
	}
	if _, err := b.client(&sandboxclient.Options{HTTPClient: &http.Client{Transport: base}}).Create(t.Context(), nil); err != nil {
		t.Error(err)
	}
}

func TestKillWhoseAnswerWasLost(t *testing.T) {
	t.Parallel()
	calls := 0
	s := &scripted{t: t, answer: func(w http.ResponseWriter, r *http.Request) {
		if calls++; calls == 1 {
			panic(http.ErrAbortHandler)
		}
		status(404, `{"code":404,"message":"gone"}`)(w, r)
	}}
	if err := s.client().Kill(t.Context(), "x"); err != nil {
		t.Errorf("got %v, want the first kill's success", err)
	}
	if err := s.client().Kill(t.Context(), "x"); !sandboxclient.IsNotFound(err) {
		t.Errorf("unknown id: got %v", err)
	}
}

func TestRedirectsKeepTheKeyOnItsHost(t *testing.T) {
	t.Parallel()
	var leaked atomic.Bool
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Host != "api.test.example":
			leaked.Store(true)
		case r.URL.Path == "/sandboxes/away":
			http.Redirect(w, r, "https://evil.example/steal", http.StatusTemporaryRedirect)
		case r.URL.Path == "/sandboxes/plain":
			http.Redirect(w, r, "http://api.test.example/steal", http.StatusTemporaryRedirect)
		case r.URL.Path == "/sandboxes/here":
			http.Redirect(w, r, "/sandboxes/there", http.StatusTemporaryRedirect)
		default:
			status(200, `{"sandboxID":"there"}`)(w, r)
		}
	})
	c, err := sandboxclient.New(testKey, &sandboxclient.Options{APIURL: "https://api.test.example", HTTPClient: serveMemory(t, handler)})
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"away", "plain"} {
		if _, err := c.Get(t.Context(), id); sandboxclient.CodeOf(err) != sandboxclient.CodePermissionDenied {
			t.Errorf("%s: got %v", id, err)
		}
	}
	if info, err := c.Get(t.Context(), "here"); err != nil || info.SandboxID != "there" {
		t.Errorf("same host: %+v, %v", info, err)
	}
	if leaked.Load() {
		t.Error("a request with the key reached another host")
	}
}

func TestCancelledCall(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	s := &scripted{t: t, answer: func(_ http.ResponseWriter, r *http.Request) {
		cancel()
		<-r.Context().Done()
	}}
	if _, err := s.client().Get(ctx, "x"); !sandboxclient.IsCanceled(err) || !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
