package sandboxtest_test

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/agentsandbox/agent-sandbox/sandboxclient"
	"github.com/agentsandbox/agent-sandbox/sandboxd/sandboxtest"
)

// list asks for the sandboxes, without a client that would retry.
func list(t *testing.T, s *sandboxtest.Server) (*http.Response, string, error) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), "GET", s.URL+"/sandboxes", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("X-API-Key", s.APIKey)
	res, err := s.Client().Do(req)
	if err != nil {
		return nil, "", err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	return res, string(body), err
}

func TestAnswersInPlaceOfTheBackend(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	for name, c := range map[string]struct {
		do     sandboxtest.Effect
		status int
		header string // of Content-Type
		body   string
	}{
		"rate limit": {sandboxtest.RateLimited(2 * time.Second), 429, "application/json", `"code":429`},
		"quota":      {sandboxtest.QuotaExceeded(), 429, "application/json", "maximum number"},
		"status":     {sandboxtest.Status(503, "come back later"), 503, "application/json", `"message":"come back later"`},
		"page":       {sandboxtest.HTMLPage(502), 502, "text/html", "<h1>502 Bad Gateway</h1>"},
		"text":       {sandboxtest.PlainText(504, "upstream request timeout"), 504, "text/plain", "upstream request timeout"},
		"redirect":   {sandboxtest.Redirect("http://elsewhere.example/"), 307, "text/html", "elsewhere"},
	} {
		fault := s.Inject(sandboxtest.Fault{Method: "GET", Path: "/sandboxes", Do: c.do})
		res, body, err := list(t, s)
		fault.Remove()
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := res.Header.Get("Content-Type"); res.StatusCode != c.status || !strings.HasPrefix(got, c.header) || !strings.Contains(body, c.body) {
			t.Errorf("%s: %d %s %q", name, res.StatusCode, got, body)
		}
		if want := map[bool]string{true: "2"}[name == "rate limit"]; res.Header.Get("Retry-After") != want {
			t.Errorf("%s: Retry-After is %q, want %q", name, res.Header.Get("Retry-After"), want)
		}
	}
	if res, body, err := list(t, s); err != nil || res.StatusCode != 200 || body != "[]\n" {
		t.Errorf("without faults: %q, %v", body, err)
	}
}

func TestReset(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	s.Inject(sandboxtest.Fault{Path: "/sandboxes", Do: sandboxtest.Reset()})
	if _, _, err := list(t, s); !errors.Is(err, syscall.ECONNRESET) && !errors.Is(err, io.EOF) {
		t.Errorf("got %v, want a reset connection", err)
	}
}

func TestDelayEndsWithTheClient(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	s.Inject(sandboxtest.Fault{Path: "/sandboxes", Do: sandboxtest.Delay(time.Hour)})
	c := s.Client()
	c.Timeout = 50 * time.Millisecond
	if _, err := c.Get(s.URL + "/sandboxes"); err == nil {
		t.Error("an answer within an hour of delay")
	}
}

func TestBodies(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	whole, err := fullList(t, s)
	if err != nil || len(whole) < 100 {
		t.Fatalf("list is %q, %v", whole, err)
	}
	for name, c := range map[string]struct {
		do   sandboxtest.Effect
		want string
		cut  bool
	}{
		"cut":       {sandboxtest.Cut(10), whole[:10], true},
		"end early": {sandboxtest.EndEarly(10), whole[:10], false},
		"slow":      {sandboxtest.SlowBody(100, time.Millisecond), whole, false},
	} {
		fault := s.Inject(sandboxtest.Fault{Path: "/templates", Do: c.do})
		got, err := fullList(t, s)
		fault.Remove()
		if got != c.want || (err != nil) != c.cut {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}

// fullList is an answer with something in it.
func fullList(t *testing.T, s *sandboxtest.Server) (string, error) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), "GET", s.URL+"/templates", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("X-API-Key", s.APIKey)
	res, err := s.Client().Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	return string(body), err
}

// A stream that is cut anywhere leaves the outcome of the command unknown.
func TestFrames(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	sandbox := create(t, s)
	for name, do := range map[string]sandboxtest.Effect{
		"half of the first frame": sandboxtest.CutFrames(0),
		"half of the third frame": sandboxtest.CutFrames(2),
		"a clean end before time": sandboxtest.EndFramesEarly(2),
	} {
		fault := s.Inject(sandboxtest.Fault{Path: "/process.Process/Start", Times: 1, Do: do})
		_, err := sandbox.Commands.Run(t.Context(), "echo one; sleep 0.1; echo two", nil)
		if !sandboxclient.IsOutcomeUnknown(err) {
			t.Errorf("%s: %v, want an unknown outcome", name, err)
		}
		if fault.Hits() != 1 {
			t.Errorf("%s: met by %d requests", name, fault.Hits())
		}
		fault.Remove()
	}
}

func TestSkipTimesAndUnused(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	fault := s.Inject(sandboxtest.Fault{Path: "/sandboxes", Skip: 1, Times: 2, Do: sandboxtest.Status(500, "x")})
	s.Inject(sandboxtest.Fault{Method: "PUT", Path: "/never", Do: sandboxtest.Reset()})
	var statuses []int
	for range 4 {
		res, _, err := list(t, s)
		if err != nil {
			t.Fatal(err)
		}
		statuses = append(statuses, res.StatusCode)
	}
	if want := [4]int{200, 500, 500, 200}; [4]int(statuses) != want || fault.Hits() != 2 {
		t.Errorf("statuses %v with %d hits, want %v with 2", statuses, fault.Hits(), want)
	}
	if unused := s.Unused(); len(unused) != 1 || unused[0] != "PUT /never" {
		t.Errorf("unused are %q", unused)
	}
}
