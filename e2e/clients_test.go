package e2e_test

import (
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/agentsandbox/agent-sandbox/e2e/internal/harness"
)

var toolsInOrder = strings.Join(sevenTools, " ")

// TestClients lists the tools and runs code with clients that others wrote, and
// finds nothing of theirs left: two of them never end a session themselves.
func TestClients(t *testing.T) {
	t.Parallel()
	clients := npmInstall(t, "clients")
	binary, err := harness.Binary()
	if err != nil {
		t.Fatal(err)
	}
	url := startOpen(t, openCommand(t, "--local", "--session-ttl", "3s"))
	tests := map[string][]string{
		"TypeScript SDK over STDIO": {"node", "client.mjs", "stdio", binary, "mcp", "start", "--local"},
		"TypeScript SDK over HTTP":  {"node", "client.mjs", "http", url},
		"mcp-remote":                {"node", "client.mjs", "stdio", "mcp-remote", url, "--transport", "http-only", "--allow-http"},
	}
	for name, command := range tests {
		t.Run(name, func(t *testing.T) {
			out := clients.run(t, command[0], command[1:]...)
			if !strings.Contains(out, "tools: "+toolsInOrder+"\n") || !strings.Contains(out, "stdout: 42\n") {
				t.Errorf("it printed %s", out)
			}
		})
	}
	for name, server := range map[string][]string{
		"Inspector over STDIO": {binary, "mcp", "start", "--local"},
		"Inspector over HTTP":  {url, "--transport", "http"},
	} {
		t.Run(name, func(t *testing.T) {
			list := clients.run(t, "mcp-inspector", append(append([]string{"--cli"}, server...), "--method", "tools/list")...)
			for tool := range strings.FieldsSeq(toolsInOrder) {
				if !strings.Contains(list, `"`+tool+`"`) {
					t.Errorf("%s is not listed in %s", tool, list)
				}
			}
			ran := clients.run(t, "mcp-inspector", append(append([]string{"--cli"}, server...), "--method", "tools/call", "--tool-name", "run_code", "--tool-arg", "code=print(6*7)")...)
			if !strings.Contains(ran, `"stdout": "42\n"`) {
				t.Errorf("run_code gave %s", ran)
			}
		})
	}
	harness.CheckNothingLeft(t)
	nothingLeft(t, strings.TrimSuffix(url, "/mcp")+"/metrics")
}

var sample = regexp.MustCompile(`(?m)^abx_(sandboxes_\w+|sessions) (\d+)$`)

// nothingLeft waits until every session has ended and its sandboxes with it.
func nothingLeft(t *testing.T, metrics string) {
	t.Helper()
	var values map[string]string
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); time.Sleep(100 * time.Millisecond) {
		values = samples(t, metrics)
		if values["sessions"] == "0" && values["sandboxes_alive"] == "0" {
			break
		}
	}
	if values["sessions"] != "0" || values["sandboxes_alive"] != "0" || values["sandboxes_created_total"] != values["sandboxes_destroyed_total"] || values["sandboxes_created_total"] == "0" {
		t.Errorf("in the end %v", values)
	}
}

func samples(t *testing.T, metrics string) map[string]string {
	t.Helper()
	response, err := http.Get(metrics) //nolint:noctx // the test ends it
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	values := map[string]string{}
	for _, m := range sample.FindAllStringSubmatch(string(body), -1) {
		values[m[1]] = m[2]
	}
	return values
}
