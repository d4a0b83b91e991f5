package mcpserver_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/agentsandbox/agent-sandbox/mcpserver"
)

// modernCall makes one request of the revision without sessions.
func (s *httpServer) modernCall(t *testing.T, token, tool string, args map[string]any) (status int, result map[string]any) {
	t.Helper()
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": map[string]any{
		"name": tool, "arguments": args,
		"_meta": map[string]any{
			"io.modelcontextprotocol/protocolVersion":    "2026-07-28",
			"io.modelcontextprotocol/clientCapabilities": map[string]any{},
		},
	}})
	if err != nil {
		t.Fatal(err)
	}
	response := s.do(t, &raw{method: "POST", token: token, body: string(body), header: http.Header{
		"Mcp-Protocol-Version": {"2026-07-28"}, "Mcp-Method": {"tools/call"}, "Mcp-Name": {tool},
	}})
	text := readAll(t, response)
	for line := range strings.Lines(text) {
		if data, ok := strings.CutPrefix(line, "data: "); ok {
			text = data
		}
	}
	var answer struct{ Result map[string]any }
	if err := json.Unmarshal([]byte(text), &answer); err != nil {
		t.Fatalf("status %d, body %q", response.StatusCode, text)
	}
	return response.StatusCode, answer.Result
}

func TestModernCallsNameTheirSandboxByAHandle(t *testing.T) {
	t.Parallel()
	server := newHTTPServer(t, &mcpserver.HTTPOptions{Tokens: twoTokens(t)})
	_, result := server.modernCall(t, "token-a", "run_command", map[string]any{"command": "true"})
	if text, _ := json.Marshal(result); result["isError"] != true || !strings.Contains(string(text), "create_sandbox") {
		t.Errorf("a call without a handle got %s, want to be told of create_sandbox", text)
	}

	_, created := server.modernCall(t, "token-a", "create_sandbox", map[string]any{})
	structured, _ := created["structuredContent"].(map[string]any)
	handle, _ := structured["sandbox_id"].(string)
	id, code, _ := strings.Cut(handle, ".")
	if len(code) != 26 {
		t.Fatalf("the handle is %q, want <id>.<26 characters>", handle)
	}

	run := func(token, handle string) string {
		_, result := server.modernCall(t, token, "run_command", map[string]any{"command": "echo x >>n; wc -l <n | tr -d ' '", "sandbox_id": handle})
		text, _ := json.Marshal(result)
		return string(text)
	}
	if got := run("token-a", handle); !strings.Contains(got, `"stdout":"1\n"`) {
		t.Errorf("first call: %s", got)
	}
	if got := run("token-a", handle); !strings.Contains(got, `"stdout":"2\n"`) {
		t.Errorf("second call, which must be in the same sandbox: %s", got)
	}
	for name, forged := range map[string]string{"bare id": id, "another code": id + "." + strings.Repeat("a", 26)} {
		if got := run("token-a", forged); !strings.Contains(got, "sandbox_not_found") {
			t.Errorf("%s: %s, want sandbox_not_found", name, got)
		}
	}
	if got := run("token-b", handle); !strings.Contains(got, "sandbox_not_found") {
		t.Errorf("another principal with the handle: %s, want sandbox_not_found", got)
	}
}

func TestModernHasNoStreamAndNoDelete(t *testing.T) {
	t.Parallel()
	server := newHTTPServer(t, nil)
	for _, method := range []string{"GET", "DELETE"} {
		response := server.do(t, &raw{method: method, header: http.Header{"Mcp-Protocol-Version": {"2026-07-28"}}})
		if response.StatusCode != http.StatusMethodNotAllowed {
			t.Errorf("%s: status %d, want 405", method, response.StatusCode)
		}
	}
}
