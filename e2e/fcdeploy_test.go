package e2e_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/agentsandbox/agent-sandbox/e2e/internal/harness"
	"github.com/agentsandbox/agent-sandbox/fcdeploy/fctest"
)

const functionName = "agent-sandbox-mcp"

// fcStory is a user who deploys: an emulated FC, a sandbox backend, a directory.
type fcStory struct {
	t       *testing.T
	fc      *fctest.Server
	backend []string // environment that reaches the backend
	home    string
	output  bytes.Buffer // all that abx printed
}

// deployed is what the test reads of the JSON document of deploy.
type deployed struct {
	TokenFile  string `json:"token_file"`
	Plan       []any  `json:"plan"`
	Deployment struct {
		Endpoint string `json:"endpoint"`
	} `json:"deployment"`
	Smoke struct {
		Tools []string `json:"tools"`
	} `json:"smoke"`
}

// TestDeployToFunctionCompute is the whole story: deploy, use it from two
// sessions on two instances, deploy again without a change, remove it.
func TestDeployToFunctionCompute(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skip("the emulated functions are linux/amd64 programs")
	}
	s := newStory(t) // builds abx, which takes its time
	ctx, cancel := context.WithTimeout(t.Context(), 4*time.Minute)
	defer cancel()

	first := s.deploy()
	if len(first.Smoke.Tools) != 7 {
		t.Errorf("the smoke test saw %q, want seven tools", first.Smoke.Tools)
	}
	token := s.token(first)
	s.useTwoSessions(ctx, first.Deployment.Endpoint, token)

	s.fc.ResetRequests()
	second := s.deploy()
	if mutations := s.fc.Mutations(); len(mutations) > 0 || len(second.Plan) > 0 {
		t.Errorf("an unchanged deployment sent %v", mutations)
	}
	if second.Deployment != first.Deployment {
		t.Errorf("second deployment: %+v, want %+v", second.Deployment, first.Deployment)
	}

	s.abx("mcp", "undeploy", "--endpoint", s.fc.URL, "--output-dir", s.dir(), "--yes")
	if !s.fc.Empty() {
		t.Errorf("left: %v", s.fc.Functions())
	}
	s.noSecrets(token)
}

func newStory(t *testing.T) *fcStory {
	t.Helper()
	s := &fcStory{t: t, home: t.TempDir()}
	s.fc = fctest.NewServer(&fctest.Options{ReadyAfter: 1, URLAfter: 1})
	t.Cleanup(func() {
		if err := s.fc.Close(); err != nil {
			t.Error(err)
		}
	})
	s.backend = localServe(t)
	return s
}

func (s *fcStory) dir() string { return filepath.Join(s.home, "artifact") }

// abx runs a command to its good end and returns its standard output.
func (s *fcStory) abx(args ...string) []byte {
	s.t.Helper()
	cmd := harness.Command(s.t, args...)
	cmd.Env = append(cmd.Env, s.backend...)
	cmd.Env = append(cmd.Env, "ALIBABA_CLOUD_ACCESS_KEY_ID=test-access-key-id", "ALIBABA_CLOUD_ACCESS_KEY_SECRET=test-access-key-secret")
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := harness.Run(cmd)
	s.output.Write(stdout.Bytes())
	s.output.Write(stderr.Bytes())
	if err != nil {
		s.t.Fatalf("abx %s: %v\n%s", strings.Join(args, " "), err, &stderr)
	}
	return stdout.Bytes()
}

func (s *fcStory) deploy() *deployed {
	s.t.Helper()
	text := s.abx("--json", "mcp", "deploy", "--endpoint", s.fc.URL, "--output-dir", s.dir(),
		"--generate-token", "--template", "code-interpreter-v1", "--session-concurrency", "1", "--apply")
	var d deployed
	if err := json.Unmarshal(text, &d); err != nil {
		s.t.Fatalf("parse %s: %v", text, err)
	}
	return &d
}

func (s *fcStory) token(d *deployed) string {
	s.t.Helper()
	text, err := os.ReadFile(d.TokenFile)
	if err != nil {
		s.t.Fatal(err)
	}
	_, token, _ := strings.Cut(strings.TrimSpace(string(text)), "=")
	return token
}

// useTwoSessions has two clients work in turns. An instance takes one session
// here, so each client must stay on an instance of its own: any other would
// answer 404.
func (s *fcStory) useTwoSessions(ctx context.Context, endpoint, token string) {
	s.t.Helper()
	clients := []*mcp.ClientSession{connectRemote(ctx, s.t, endpoint, token), connectRemote(ctx, s.t, endpoint, token)}
	var sandboxes [2][]string
	for round := range 3 {
		for i, client := range clients {
			code := fmt.Sprintf("n = globals().get('n', %d) + 1; print(n)", 10*i)
			result := callRemote(ctx, s.t, client, "run_code", map[string]any{"code": code})
			if want := strconv.Itoa(10*i + round + 1); strings.TrimSpace(fmt.Sprint(result["stdout"])) != want {
				s.t.Errorf("run_code of session %d printed %q, want %s", i, result["stdout"], want)
			}
			id, _ := result["sandbox_id"].(string)
			sandboxes[i] = append(sandboxes[i], id)
		}
	}
	for i, ids := range sandboxes {
		if len(slices.Compact(ids)) != 1 {
			s.t.Errorf("session %d changed its sandbox: %q", i, ids)
		}
	}
	if sandboxes[0][0] == sandboxes[1][0] {
		s.t.Error("two sessions share a sandbox")
	}
	instances := s.fc.Instances(functionName)
	if len(instances) != 2 || instances[0].Sessions != 1 || instances[1].Sessions != 1 {
		s.t.Errorf("instances %+v, want two with a session each", instances)
	}
	for _, client := range clients {
		if err := client.Close(); err != nil {
			s.t.Errorf("end session: %v", err)
		}
	}
	for _, instance := range s.fc.Instances(functionName) {
		if instance.Sessions != 0 {
			s.t.Errorf("instance %+v still has a session", instance)
		}
	}
}

// noSecrets looks for values where none may be: all output, and all files but
// the token's.
func (s *fcStory) noSecrets(token string) {
	s.t.Helper()
	secrets := []string{token, "test-access-key-secret"}
	for _, pair := range s.backend {
		if key, ok := strings.CutPrefix(pair, "ABX_SANDBOX_API_KEY="); ok {
			secrets = append(secrets, key)
		}
	}
	search := func(where string, text []byte) {
		for _, secret := range secrets {
			if secret == "" || bytes.Contains(text, []byte(secret)) {
				s.t.Errorf("%s holds a secret, or there is none", where)
			}
		}
	}
	search("output", s.output.Bytes())
	err := filepath.WalkDir(s.dir(), func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || entry.Name() == ".env" {
			return err
		}
		text, err := os.ReadFile(path)
		search(path, text)
		return err
	})
	if err != nil {
		s.t.Error(err)
	}
}

// bearer adds a token to every request.
type bearer struct{ token string }

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+b.token)
	return http.DefaultTransport.RoundTrip(r)
}

func connectRemote(ctx context.Context, t *testing.T, endpoint, token string) *mcp.ClientSession {
	t.Helper()
	client := mcp.NewClient(&mcp.Implementation{Name: "e2e", Version: "1"}, nil)
	session, err := client.Connect(ctx, &mcp.StreamableClientTransport{
		Endpoint: endpoint, HTTPClient: &http.Client{Transport: bearer{token}},
	}, nil)
	if err != nil {
		t.Fatalf("connect to %s: %v", endpoint, err)
	}
	return session
}

func callRemote(ctx context.Context, t *testing.T, session *mcp.ClientSession, tool string, args map[string]any) map[string]any {
	t.Helper()
	result, err := session.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		t.Fatalf("call %s: %v", tool, err)
	}
	if result.IsError {
		text, _ := json.Marshal(result.Content) // for the message only
		t.Fatalf("%s: %s", tool, text)
	}
	structured, ok := result.StructuredContent.(map[string]any)
	if !ok {
		t.Fatalf("%s: no structured content", tool)
	}
	return structured
}

// localServe runs `abx local serve` until the test ends, and returns the
// environment that it prints.
func localServe(t *testing.T) []string {
	t.Helper()
	cmd := harness.Command(t, "local", "serve", "--listen", "127.0.0.1:0", "--isolation", "none")
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := harness.Start(cmd); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM) // it may have ended
		if err := cmd.Wait(); err != nil {
			t.Errorf("local serve ended with %v", err)
		}
	})
	var env []string
	for lines := bufio.NewScanner(stdout); lines.Scan(); {
		pair := strings.TrimPrefix(lines.Text(), "export ")
		env = append(env, pair)
		if strings.HasPrefix(pair, "ABX_SANDBOX_API_KEY=") {
			return env
		}
	}
	t.Fatal("local serve printed no environment")
	return nil
}
