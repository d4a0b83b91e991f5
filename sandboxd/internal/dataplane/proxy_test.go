package dataplane_test

import (
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/dataplane"
	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/lifecycle"
)

// echo says what of a request arrived.
func echo(w http.ResponseWriter, r *http.Request) {
	fmt.Fprintf(w, "%s %s host=%s abx=%s traffic=%s", r.Method, r.RequestURI, r.Host,
		r.Header.Get("Abx-Port"), r.Header.Get("E2b-Traffic-Access-Token"))
}

func TestToTheAgent(t *testing.T) {
	t.Parallel()
	w := newWorld(t, dataplane.Config{}, lifecycle.Spec{}, echo)
	header := http.Header{"Abx-Port": {"1"}, "E2b-Traffic-Access-Token": {"secret"}}
	for _, port := range []int{49983, 49999} {
		_, got := w.get(t, "/files?path=a%2Fb;c", port, header)
		want := fmt.Sprintf("GET /files?path=a%%2Fb;c host=%s abx=%d traffic=", w.url[len("http://"):], port)
		if got != want {
			t.Errorf("agent got %q, want %q", got, want)
		}
	}
}

// inside is a server on this machine, as one that a program in the sandbox
// started.
func inside(t *testing.T, handler http.HandlerFunc) (port int) {
	t.Helper()
	s := httptest.NewServer(handler)
	t.Cleanup(s.Close)
	return s.Listener.Addr().(*net.TCPAddr).Port
}

func TestToAPortOfTheSandbox(t *testing.T) {
	t.Parallel()
	w := newWorld(t, dataplane.Config{}, lifecycle.Spec{}, echo)
	port := inside(t, func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "%s %s %s %s", r.Host, r.RequestURI, r.Header.Get("X-Forwarded-Host"), r.Header.Get("Abx-Port"))
	})
	host := w.url[len("http://"):]
	if _, got := w.get(t, "/x?y=1", port, http.Header{"Abx-Port": {"1"}}); got != host+" /x?y=1 "+host+" " {
		t.Errorf("server got %q", got)
	}
	w.SetNetwork(&lifecycle.Network{MaskRequestHost: "localhost:${PORT}"})
	if _, got := w.get(t, "/", port, nil); !strings.HasPrefix(got, fmt.Sprintf("localhost:%d / ", port)) {
		t.Errorf("with a mask the server got %q", got)
	}
}

func TestClosedPort(t *testing.T) {
	t.Parallel()
	w := newWorld(t, dataplane.Config{}, lifecycle.Spec{}, echo)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := l.Addr().(*net.TCPAddr).Port
	l.Close()
	res, got := w.get(t, "/", port, nil)
	want := `{"sandboxId":"iabc","message":"The sandbox is running but port is not open","port":` + strconv.Itoa(port) + `,"code":502}`
	if res.StatusCode != 502 || strings.TrimSpace(got) != want || !strings.HasPrefix(res.Header.Get("Content-Type"), "application/json") {
		t.Errorf("answered %d %s %q", res.StatusCode, res.Header.Get("Content-Type"), got)
	}
}

const gone = `{"sandboxId":"iabc","message":"The sandbox was not found","code":502}`

func TestSandboxThatIsNotThere(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(*world) error{
		"killed": func(w *world) error { return w.Kill(t.Context()) },
		"paused": func(w *world) error { return w.Pause(t.Context()) },
	} {
		w := newWorld(t, dataplane.Config{}, lifecycle.Spec{}, echo)
		if err := end(w); err != nil {
			t.Fatal(err)
		}
		for _, port := range []int{49983, 49999, 8080} {
			if res, got := w.get(t, "/health", port, nil); res.StatusCode != 502 || strings.TrimSpace(got) != gone {
				t.Errorf("%s: port %d answered %d %q", name, port, res.StatusCode, got)
			}
		}
		res, page := w.get(t, "/", 8080, http.Header{"User-Agent": {"Mozilla/5.0 (X11; Linux x86_64)"}})
		if res.StatusCode != 502 || !strings.HasPrefix(res.Header.Get("Content-Type"), "text/html") || !strings.Contains(page, "was not found") {
			t.Errorf("%s: a browser got %d %q", name, res.StatusCode, page)
		}
	}
}

func TestAutoResume(t *testing.T) {
	t.Parallel()
	w := newWorld(t, dataplane.Config{}, lifecycle.Spec{AutoResume: true}, echo)
	if err := w.Pause(t.Context()); err != nil {
		t.Fatal(err)
	}
	if res, got := w.get(t, "/", 49983, nil); res.StatusCode != 200 || w.Info().State != lifecycle.Running {
		t.Errorf("answered %d %q, state %s", res.StatusCode, got, w.Info().State)
	}
}

func TestTrafficToken(t *testing.T) {
	t.Parallel()
	w := newWorld(t, dataplane.Config{}, lifecycle.Spec{TrafficToken: "secret"}, echo)
	if res, _ := w.get(t, "/", 49983, nil); res.StatusCode != 200 {
		t.Errorf("envd wants no traffic token, but answered %d", res.StatusCode)
	}
	for given, want := range map[string]string{
		"":      `Sandbox is secured with traffic access token. Token header 'e2b-traffic-access-token' is missing`,
		"wrong": `Sandbox is secured with traffic access token. Token header 'e2b-traffic-access-token' is invalid`,
	} {
		res, got := w.get(t, "/", 49999, http.Header{"E2b-Traffic-Access-Token": {given}})
		if res.StatusCode != 403 || strings.TrimSpace(got) != `{"sandboxId":"iabc","message":"`+want+`","code":403}` {
			t.Errorf("token %q: answered %d %q", given, res.StatusCode, got)
		}
	}
	if res, _ := w.get(t, "/", 49999, http.Header{"E2b-Traffic-Access-Token": {"secret"}}); res.StatusCode != 200 {
		t.Errorf("the right token: answered %d", res.StatusCode)
	}
}

func TestTokenOnEveryPort(t *testing.T) {
	t.Parallel()
	w := newWorld(t, dataplane.Config{TokenOnEveryPort: true}, lifecycle.Spec{AccessToken: "secret"}, echo)
	for _, port := range []int{49983, 49999, 8080} {
		for _, given := range []string{"", "wrong"} {
			if res, got := w.get(t, "/health", port, http.Header{"X-Access-Token": {given}}); res.StatusCode != 403 {
				t.Errorf("port %d, token %q: answered %d %q", port, given, res.StatusCode, got)
			}
		}
	}
	if res, _ := w.get(t, "/", 49983, http.Header{"X-Access-Token": {"secret"}}); res.StatusCode != 200 {
		t.Errorf("the right token: answered %d", res.StatusCode)
	}
}

func TestPathsOfTheControlPlane(t *testing.T) {
	t.Parallel()
	w := newWorld(t, dataplane.Config{}, lifecycle.Spec{}, echo)
	for _, path := range []string{"/init", "/freeze", "/unfreeze", "/collapse", "/fsfreeze", "/fsthaw"} {
		res, got := w.get(t, path, 49983, nil)
		if res.StatusCode != 404 || !strings.Contains(got, `"path":"`+path+`"`) || !strings.Contains(got, `"code":404`) {
			t.Errorf("%s answered %d %q", path, res.StatusCode, got)
		}
	}
	if res, _ := w.get(t, "/init", 49999, nil); res.StatusCode != 200 {
		t.Errorf("/init of another port answered %d", res.StatusCode)
	}
}
