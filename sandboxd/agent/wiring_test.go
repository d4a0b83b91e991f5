package agent_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"connectrpc.com/connect"

	"github.com/agentsandbox/agent-sandbox/sandboxclient/envd/filesystem"
	"github.com/agentsandbox/agent-sandbox/sandboxclient/envd/filesystem/filesystemconnect"
	"github.com/agentsandbox/agent-sandbox/sandboxclient/envd/process"
	"github.com/agentsandbox/agent-sandbox/sandboxclient/envd/process/processconnect"
	"github.com/agentsandbox/agent-sandbox/sandboxd/agent"
)

// ask sends a request with headers given as pairs.
func ask(t *testing.T, method, url, body string, headers ...string) (*http.Response, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(deadline(t), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res, string(text)
}

func TestPortHeaderPicksTheService(t *testing.T) {
	t.Parallel()
	with := serve(t, &agent.Config{Home: t.TempDir(), Interpreter: true})
	without := serve(t, &agent.Config{Home: t.TempDir()})
	for _, tt := range []struct {
		url, port string
		status    int
		body      string
	}{
		{with, "", 204, ""},
		{with, agent.PortEnvd, 204, ""},
		{with, agent.PortInterpreter, 200, `"OK"`},
		{without, agent.PortInterpreter, 502, "no code interpreter in this sandbox\n"},
		{with, "8080", 502, "reach this port by CONNECT\n"},
	} {
		res, body := ask(t, "GET", tt.url+"/health", "", agent.PortHeader, tt.port)
		if res.StatusCode != tt.status || strings.TrimSpace(body) != strings.TrimSpace(tt.body) {
			t.Errorf("port %q: %d %q, want %d %q", tt.port, res.StatusCode, body, tt.status, tt.body)
		}
	}
}

func TestTokenGuardsAllButTheExempt(t *testing.T) {
	t.Parallel()
	url := serve(t, &agent.Config{Home: t.TempDir(), AccessToken: "secret"})
	for _, tt := range []struct {
		method, path string
		status       int
	}{
		{"GET", "/health", 204},
		{"GET", "/envs", 401},
		{"GET", "/metrics", 401},
		{"POST", "/files/compose", 401},
		{"POST", "/process.Process/List", 401},
		{"POST", "/filesystem.Filesystem/Stat", 401},
		{"GET", "/no/such/path", 401},
		{"POST", "/init", 401},
		{"HEAD", "/files", 401},
	} {
		for _, token := range []string{"", "wrong", "secret2", "secre"} {
			res, body := ask(t, tt.method, url+tt.path, "{}", "X-Access-Token", token, "Content-Type", "application/json")
			if res.StatusCode != tt.status || strings.Contains(body, `"secret"`) {
				t.Errorf("%s %s with token %q: %d %s", tt.method, tt.path, token, res.StatusCode, body)
			}
		}
	}
	if res, body := ask(t, "GET", url+"/envs", "", "X-Access-Token", "secret"); res.StatusCode != 200 {
		t.Errorf("with the right token: %d %s", res.StatusCode, body)
	}
}

func TestEnvsNameTheSandbox(t *testing.T) {
	t.Parallel()
	url := serve(t, &agent.Config{
		Home: t.TempDir(), SandboxID: "sbx-1", TemplateID: "base",
		Envs: map[string]string{"A": "x"}, BaseEnv: map[string]string{"HTTP_PROXY": "http://proxy"},
	})
	_, body := ask(t, "GET", url+"/envs", "")
	var envs map[string]string
	if err := json.Unmarshal([]byte(body), &envs); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"A": "x", "E2B_SANDBOX": "true", "E2B_SANDBOX_ID": "sbx-1", "E2B_TEMPLATE_ID": "base"}
	if fmt.Sprint(envs) != fmt.Sprint(want) {
		t.Errorf("%v, want %v", envs, want)
	}
}

func TestUsers(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	url := serve(t, &agent.Config{User: "user", Home: home})
	files := filesystemconnect.NewFilesystemClient(http.DefaultClient, url)
	stat := func(user string) (*filesystem.StatResponse, error) {
		ctx, call := connect.NewClientContext(deadline(t))
		if user != "" {
			call.RequestHeader().Set("Authorization", basic(user))
		}
		return files.Stat(ctx, &filesystem.StatRequest{Path: "~"})
	}
	for _, user := range []string{"", "user"} {
		if res, err := stat(user); err != nil || res.GetEntry().GetPath() != home || res.GetEntry().GetOwner() != "user" {
			t.Errorf("user %q: %v, %v", user, res, err)
		}
	}
	_, err := stat("root")
	if connect.CodeOf(err) != connect.CodeUnauthenticated || !strings.Contains(err.Error(), "invalid username: 'root'") {
		t.Errorf("root, who is not known here: %v", err)
	}
}

func basic(user string) string {
	req := &http.Request{Header: http.Header{}}
	req.SetBasicAuth(user, "")
	return req.Header.Get("Authorization")
}

func TestProfiles(t *testing.T) {
	t.Parallel()
	for profile, want := range map[agent.Profile]struct {
		version      string
		raw, compose int
	}{
		"":               {"0.6.13", 200, 400},
		agent.ProfileE2B: {"0.6.13", 200, 400},
		agent.ProfileFC:  {"0.5.2", 400, 404},
	} {
		url := serve(t, &agent.Config{Home: t.TempDir(), Profile: profile})
		init, _ := ask(t, "POST", url+"/init", "{}")
		raw, _ := ask(t, "POST", url+"/files?path=f", "x", "Content-Type", "application/octet-stream")
		compose, _ := ask(t, "POST", url+"/files/compose", "{}")
		got := fmt.Sprint(init.Header.Get("X-Envd-Version"), raw.StatusCode, compose.StatusCode)
		if got != fmt.Sprint(want.version, want.raw, want.compose) || profile.EnvdVersion() != want.version {
			t.Errorf("profile %q: version, raw upload and compose %s, want %v", profile, got, want)
		}
	}
}

func TestBothCodecsOverHTTP2Cleartext(t *testing.T) {
	t.Parallel()
	url := serve(t, &agent.Config{Home: t.TempDir()})
	transport := &http.Transport{Protocols: new(http.Protocols)}
	transport.Protocols.SetUnencryptedHTTP2(true)
	defer transport.CloseIdleConnections()
	for name, codec := range map[string][]connect.ClientOption{"protobuf": nil, "json": {connect.WithProtoJSON()}} {
		client := processconnect.NewProcessClient(&http.Client{Transport: transport}, url, codec...)
		stream, err := client.Start(deadline(t), &process.StartRequest{Process: &process.ProcessConfig{Cmd: "/bin/echo", Args: []string{"hi"}}})
		if err != nil {
			t.Fatal(err)
		}
		var out []byte
		for stream.Receive() {
			out = append(out, stream.Msg().GetEvent().GetData().GetStdout()...)
		}
		if string(out) != "hi\n" || stream.Err() != nil {
			t.Errorf("%s: %q, %v", name, out, stream.Err())
		}
	}
}

func TestPagesOfOtherOriginsMayCall(t *testing.T) {
	t.Parallel()
	url := serve(t, &agent.Config{Home: t.TempDir(), AccessToken: "secret"})
	res, _ := ask(t, "OPTIONS", url+"/process.Process/List", "", "Origin", "https://app.example",
		"Access-Control-Request-Method", "POST", "Access-Control-Request-Headers", "x-access-token")
	if res.StatusCode != 204 || res.Header.Get("Access-Control-Allow-Origin") != "*" || res.Header.Get("Access-Control-Allow-Headers") != "x-access-token" {
		t.Errorf("preflight: %d %v", res.StatusCode, res.Header)
	}
	res, _ = ask(t, "GET", url+"/envs", "", "Origin", "https://app.example")
	if res.StatusCode != 401 || res.Header.Get("Access-Control-Allow-Origin") != "*" {
		t.Errorf("a refusal must be readable, and a refusal: %d %v", res.StatusCode, res.Header)
	}
}

func TestMainEndsWithItsListenerAndItsProcesses(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- agent.Main(l, &agent.Config{Home: t.TempDir()}) }()
	client := processconnect.NewProcessClient(http.DefaultClient, "http://"+l.Addr().String())
	ctx, cancel := context.WithCancel(deadline(t))
	defer cancel()
	stream, err := client.Start(ctx, &process.StartRequest{Process: &process.ProcessConfig{Cmd: "/bin/sh", Args: []string{"-c", "trap '' TERM; sleep 600"}}})
	if err != nil || !stream.Receive() {
		t.Fatal(err, stream.Err())
	}
	pid := int(stream.Msg().GetEvent().GetStart().GetPid())
	_ = l.Close()
	if err := <-done; err != nil {
		t.Errorf("Main: %v", err)
	}
	if alive(pid) {
		t.Error("the process outlived the agent")
	}
}
