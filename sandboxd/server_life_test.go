package sandboxd_test

import (
	"context"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/agentsandbox/agent-sandbox/sandboxclient"
	"github.com/agentsandbox/agent-sandbox/sandboxclient/api"
	"github.com/agentsandbox/agent-sandbox/sandboxd"
)

// serve makes the server listen, and returns its URL.
func serve(t *testing.T, s *sandboxd.Server) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- s.Serve(l) }()
	t.Cleanup(func() {
		if err := errors.Join(s.Close(), <-served); err != nil {
			t.Error(err)
		}
	})
	return sandboxd.BaseURL(l)
}

func TestServeSetsTheDomain(t *testing.T) {
	t.Parallel()
	s := start(t, sandboxd.Options{})
	if got := create(t, s, nil).Domain; got != nil {
		t.Errorf("domain is %q before anything listens", *got)
	}
	url := serve(t, s)
	want := "localhost" + url[strings.LastIndex(url, ":"):]
	// Serve runs in another goroutine.
	for end := time.Now().Add(5 * time.Second); s.Domain() != want; {
		if time.Now().After(end) {
			t.Fatalf("domain is %q, want %q", s.Domain(), want)
		}
	}
	if got := create(t, s, nil).Domain; got == nil || *got != want {
		t.Errorf("create answers domain %v, want %q", got, want)
	}
}

func TestHTTP2WithoutTLS(t *testing.T) {
	t.Parallel()
	s := start(t, sandboxd.Options{})
	url := serve(t, s)
	transport := &http.Transport{Protocols: new(http.Protocols)}
	transport.Protocols.SetUnencryptedHTTP2(true)
	defer transport.CloseIdleConnections()
	sandbox := create(t, s, nil)
	req, err := http.NewRequestWithContext(t.Context(), "GET", url+"/health", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set(api.HeaderSandboxID, sandbox.SandboxID)
	req.Header.Set(api.HeaderSandboxPort, "49983")
	res, err := (&http.Client{Transport: transport}).Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if res.ProtoMajor != 2 || res.StatusCode != http.StatusNoContent {
		t.Errorf("answered by HTTP/%d with %d", res.ProtoMajor, res.StatusCode)
	}
}

func TestCloseEndsStreamsAndIsFinal(t *testing.T) {
	t.Parallel()
	s := start(t, sandboxd.Options{})
	url := serve(t, s)
	sandbox := create(t, s, nil)
	body := "\x00\x00\x00\x00\x3f" + `{"process":{"cmd":"/bin/sleep","args":["600"]},"stdin": false}   `
	body = "\x00\x00\x00\x00" + string(rune(len(body)-5)) + body[5:]
	req, err := http.NewRequest("POST", url+"/process.Process/Start", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set(api.HeaderSandboxID, sandbox.SandboxID)
	req.Header.Set(api.HeaderSandboxPort, "49983")
	req.Header.Set("Content-Type", "application/connect+json")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	if err := s.Shutdown(ctx); err != nil {
		t.Errorf("shutdown with a stream under way: %v", err)
	}
	if _, err := io.ReadAll(res.Body); err == nil {
		t.Error("the stream ended as if it were complete")
	}
	if err := s.Close(); err != nil {
		t.Errorf("second close: %v", err)
	}
	if _, err := s.HTTPClient().Get("http://sandboxd/health"); err == nil {
		t.Error("a closed server answers")
	}
}

// Options that cannot be meant are errors that name them.
func TestWrongOptions(t *testing.T) {
	t.Parallel()
	for want, opts := range map[string]sandboxd.Options{
		`profile "azure" is not known: want e2b or fc`:      {Profile: "azure"},
		`storage "tape" is not known: want memory or disk`:  {Storage: "tape"},
		`unknown isolation "vm": use namespace`:             {Isolation: "vm"},
		"max sandboxes is -1: want 1 or more":               {MaxSandboxes: -1},
		"max life is -1s: want more than 0":                 {MaxLife: -time.Second},
		"processes of a sandbox are -1: want 1 or more":     {Processes: -1},
		"memory of a sandbox is -1 bytes: want 0 (no limit": {MemoryBytes: -1},
		"an API key is empty":                               {APIKeys: []string{""}},
	} {
		s, err := sandboxd.New(&opts)
		if err == nil {
			s.Close()
		}
		if err == nil || !strings.HasPrefix(err.Error(), "sandboxd: "+want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}

func TestAgentThatDiesEndsTheSandbox(t *testing.T) {
	t.Parallel()
	s := start(t, sandboxd.Options{})
	client, err := sandboxclient.New(s.APIKey(), &sandboxclient.Options{
		APIURL: "http://sandboxd", SandboxURL: "http://sandboxd", HTTPClient: s.HTTPClient(), AllowInsecure: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	sandbox, err := client.Create(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := sandbox.Commands.Run(t.Context(), "kill -9 $PPID", nil); !sandboxclient.IsSandboxGone(err) {
		t.Errorf("run: %v, want the code of a sandbox that is gone", err)
	}
	for end := time.Now().Add(10 * time.Second); ; {
		if _, err := sandbox.Info(t.Context()); sandboxclient.IsNotFound(err) {
			return
		}
		if time.Now().After(end) {
			t.Fatal("the sandbox outlived its agent by 10 s")
		}
	}
}

func ExampleServer_WriteEnv() {
	s, err := sandboxd.New(&sandboxd.Options{Isolation: "none", APIKeys: []string{"e2b_00"}})
	if err != nil {
		log.Fatal(err)
	}
	defer s.Close()
	s.WriteEnv(os.Stdout, "http://127.0.0.1:3000")
	// Output:
	// export E2B_API_URL=http://127.0.0.1:3000
	// export E2B_SANDBOX_URL=http://127.0.0.1:3000
	// export E2B_API_KEY=e2b_00
	// export ABX_SANDBOX_BASE_URL=http://127.0.0.1:3000
	// export ABX_SANDBOX_URL=http://127.0.0.1:3000
	// export ABX_SANDBOX_API_KEY=e2b_00
}
