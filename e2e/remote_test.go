package e2e_test

import (
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/agentsandbox/agent-sandbox/e2e/internal/harness"
)

// remoteConfig is how a client names a server that runs elsewhere.
const remoteConfig = `{
  "mcpServers": {
    "agent-sandbox-remote": {
      "url": "URL",
      "headers": {
        "Authorization": "Bearer TOKEN"
      }
    }
  }
}`

// TestRemoteConfig has a client use the server that its configuration names.
func TestRemoteConfig(t *testing.T) {
	t.Parallel()
	ctx := limited(t, time.Minute)
	backend := harness.StartBackend(ctx, t, nil)
	server := harness.StartHTTP(t, backend.Env(backend.URL))
	d := newDesk(t)
	file := filepath.Join(d.dir, ides["cursor"].file)
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	text := strings.NewReplacer("URL", server.URL, "TOKEN", server.Token).Replace(remoteConfig)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	e := d.entry(t, "cursor", "agent-sandbox-remote")

	harness.Scenario(t, "with the token", func(t *testing.T) {
		for _, revision := range []string{"2025-11-25", "2025-06-18", "2025-03-26"} {
			session, err := server.Dial(ctx, revision, headers(e.Headers))
			if err != nil {
				t.Fatalf("%s: %v", revision, err)
			}
			result, err := session.CallTool(ctx, command("echo remote"))
			if err != nil || result.IsError || !strings.Contains(harness.Text(result), `remote\n`) {
				t.Errorf("%s: %v, %s", revision, err, harness.Text(result))
			}
			if err := session.Close(); err != nil {
				t.Errorf("%s: end session: %v", revision, err)
			}
			backend.AwaitNoSandbox(ctx, leftLimit)
		}
	})
	harness.Scenario(t, "without it", func(t *testing.T) {
		for name, header := range map[string]http.Header{
			"none": {}, "wrong": {"Authorization": {"Bearer wrong"}}, "empty": {"Authorization": {"Bearer "}},
		} {
			refused(t, server.URL, name, header)
		}
		equal(t, "sandboxes", len(backend.Sandboxes(ctx)), 0)
	})
	harness.Scenario(t, "abx as the client", func(t *testing.T) {
		out := d.abx(t, []string{"ABX_MCP_AUTH_TOKEN=" + server.Token}, "--json", "mcp", "call", "--url", server.URL, "run_command", "command=echo called")
		var answer struct {
			StructuredContent struct {
				Stdout string `json:"stdout"`
			} `json:"structuredContent"`
		}
		if err := json.Unmarshal([]byte(out), &answer); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		equal(t, "stdout", answer.StructuredContent.Stdout, "called\n")
	})
	server.Stop()
	backend.AwaitNoSandbox(ctx, leftLimit)
	if strings.Contains(server.Stderr.String(), server.Token) || strings.Contains(server.Stderr.String(), backend.APIKey) {
		t.Error("the log holds a secret")
	}
}

func headers(m map[string]string) http.Header {
	h := http.Header{}
	for name, value := range m {
		h.Set(name, value)
	}
	return h
}

// refused posts a request that must be answered as RFC 6750 says.
func refused(t *testing.T, url, name string, header http.Header) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"ping"}`))
	if err != nil {
		t.Fatal(err)
	}
	r.Header = header.Clone()
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Error(err)
	}
	challenge := res.Header.Get("WWW-Authenticate")
	if res.StatusCode != http.StatusUnauthorized || !strings.HasPrefix(challenge, "Bearer") || !json.Valid(body) {
		t.Errorf("token %s: %s, WWW-Authenticate %q, body %s", name, res.Status, challenge, body)
	}
}
