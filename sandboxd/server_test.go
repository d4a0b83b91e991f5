package sandboxd_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agentsandbox/agent-sandbox/sandboxclient/api"
	"github.com/agentsandbox/agent-sandbox/sandboxd"
)

// start makes a server without isolation and closes it with the test.
func start(t *testing.T, opts sandboxd.Options) *sandboxd.Server {
	t.Helper()
	opts.Isolation = "none"
	if opts.StateDir == "" {
		opts.StateDir = t.TempDir()
	}
	s, err := sandboxd.New(&opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return s
}

// call makes a request of the control plane and decodes the answer into out.
func call(t *testing.T, s *sandboxd.Server, method, path string, body, out any) int {
	t.Helper()
	encoded, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	req, err := http.NewRequest(method, "http://sandboxd"+path, bytes.NewReader(encoded))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set(api.HeaderAPIKey, s.APIKey())
	res, err := s.HTTPClient().Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	if out != nil {
		if err := json.Unmarshal(answer, out); err != nil {
			t.Fatalf("%s %s answered %d %q: %v", method, path, res.StatusCode, answer, err)
		}
	}
	return res.StatusCode
}

func create(t *testing.T, s *sandboxd.Server, body map[string]any) api.Sandbox {
	t.Helper()
	full := map[string]any{"templateID": "base", "timeout": 60}
	for name, value := range body {
		full[name] = value
	}
	var sandbox api.Sandbox
	if status := call(t, s, "POST", "/sandboxes", full, &sandbox); status != http.StatusCreated {
		t.Fatalf("create answered %d", status)
	}
	return sandbox
}

// fetch asks a port of a sandbox, by host name.
func fetch(t *testing.T, s *sandboxd.Server, host, path string, header http.Header) (int, string) {
	t.Helper()
	req, err := http.NewRequest("GET", "http://"+host+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header = header.Clone()
	res, err := s.HTTPClient().Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(body)
}

func TestLifeOfASandbox(t *testing.T) {
	t.Parallel()
	s := start(t, sandboxd.Options{})
	sandbox := create(t, s, map[string]any{"metadata": map[string]string{"user": "abc"}})
	host := "49983-" + sandbox.SandboxID + ".sandboxd"

	if status, body := fetch(t, s, host, "/health", nil); status != http.StatusNoContent {
		t.Errorf("health answered %d %q", status, body)
	}
	if status, body := fetch(t, s, host, "/files?path=/nothing", nil); status != http.StatusNotFound {
		t.Errorf("reading a missing file answered %d %q", status, body)
	}
	var detail api.SandboxDetail
	if status := call(t, s, "GET", "/sandboxes/"+sandbox.SandboxID, nil, &detail); status != 200 || detail.Metadata["user"] != "abc" {
		t.Errorf("get answered %d %+v", status, detail)
	}
	if status := call(t, s, "DELETE", "/sandboxes/"+sandbox.SandboxID, nil, nil); status != http.StatusNoContent {
		t.Errorf("kill answered %d", status)
	}
	if status := call(t, s, "DELETE", "/sandboxes/"+sandbox.SandboxID, nil, nil); status != http.StatusNotFound {
		t.Errorf("second kill answered %d", status)
	}
	status, body := fetch(t, s, host, "/health", nil)
	if status != http.StatusBadGateway || strings.Contains(body, `"port"`) {
		t.Errorf("health of a killed sandbox answered %d %q", status, body)
	}
}

func TestCloseLeavesNothing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := start(t, sandboxd.Options{StateDir: dir})
	for range 3 {
		create(t, s, nil)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	var left []string
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if path != dir {
			left = append(left, path)
		}
		return err
	})
	if err != nil || len(left) > 0 {
		t.Errorf("left in the state directory: %q (%v)", left, err)
	}
}
