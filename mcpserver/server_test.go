package mcpserver_test

import (
	"context"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/agentsandbox/agent-sandbox/mcpserver"
)

// connect opens a session on a server; it ends with the test.
func connect(t testing.TB, server *mcpserver.Server) *mcp.ClientSession {
	t.Helper()
	client, end, err := server.InMemory(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := end(context.Background()); err != nil {
			t.Errorf("end of session: %v", err)
		}
	})
	return client
}

// call calls a tool with arguments as JSON.
func call(t testing.TB, client *mcp.ClientSession, tool, arguments string) *mcp.CallToolResult {
	t.Helper()
	params := &mcp.CallToolParams{Name: tool, Arguments: json.RawMessage(arguments)}
	res, err := client.CallTool(context.Background(), params)
	if err != nil {
		t.Fatalf("%s %s: %v", tool, arguments, err)
	}
	checkConforms(t, tool, res)
	return res
}

// checkConforms holds a result against the rules for all of them: structured
// content fits the output schema and is repeated as text, and an error has a
// code of the list.
func checkConforms(t testing.TB, tool string, res *mcp.CallToolResult) {
	t.Helper()
	if res.StructuredContent != nil {
		if err := outputSchemas()[tool].Validate(res.StructuredContent); err != nil {
			t.Errorf("%s: the result does not fit its schema: %v", tool, err)
		}
		var repeated any
		if err := json.Unmarshal([]byte(text(t, res)), &repeated); err != nil || !reflect.DeepEqual(repeated, res.StructuredContent) {
			t.Errorf("%s: the text is not the structured content (%v)", tool, err)
		}
	}
	meta, _ := res.Meta[mcpserver.MetaError].(map[string]any)
	if code, _ := meta["code"].(string); res.IsError != slices.Contains(codes, code) {
		t.Errorf("%s: isError %v with the code %q", tool, res.IsError, code)
	}
	if res.IsError && (res.StructuredContent != nil) != (meta["code"] == "timeout") {
		t.Errorf("%s: an error %v with structured content %v", tool, meta, res.StructuredContent)
	}
}

// codes is the closed list of error codes.
var codes = strings.Fields(`invalid_argument path_not_found is_directory not_directory too_large
	language_unavailable sandbox_not_found sandbox_expired no_default_sandbox timeout cancelled
	session_closed outcome_unknown kernel_died rate_limited quota_exceeded unauthenticated
	permission_denied unsupported backend_unavailable internal`)

var outputSchemas = sync.OnceValue(func() map[string]*jsonschema.Resolved {
	all := map[string]*jsonschema.Resolved{}
	for _, tool := range mcpserver.Tools() {
		schema := new(jsonschema.Schema)
		if err := json.Unmarshal(tool.OutputSchema.(json.RawMessage), schema); err != nil {
			panic(err)
		}
		resolved, err := schema.Resolve(nil)
		if err != nil {
			panic(err)
		}
		all[tool.Name] = resolved
	}
	return all
})

// text is the first text block of a result.
func text(t testing.TB, res *mcp.CallToolResult) string {
	t.Helper()
	block, ok := res.Content[0].(*mcp.TextContent)
	if !ok {
		t.Fatalf("first block is %T", res.Content[0])
	}
	return block.Text
}

// structured calls a tool that must succeed and gives its structured result.
func structured(t testing.TB, client *mcp.ClientSession, tool, arguments string) map[string]any {
	t.Helper()
	res := call(t, client, tool, arguments)
	if res.IsError {
		t.Fatalf("%s %s: %s", tool, arguments, text(t, res))
	}
	var fields map[string]any
	if err := json.Unmarshal([]byte(text(t, res)), &fields); err != nil {
		t.Fatal(err)
	}
	return fields
}

// failure calls a tool that must fail and gives code, text and retryability.
func failure(t testing.TB, client *mcp.ClientSession, tool, arguments string) (code, message string, retryable bool) {
	t.Helper()
	res := call(t, client, tool, arguments)
	if !res.IsError {
		t.Fatalf("%s %s succeeded: %s", tool, arguments, text(t, res))
	}
	meta, _ := res.Meta[mcpserver.MetaError].(map[string]any)
	code, _ = meta["code"].(string)
	retryable, _ = meta["retryable"].(bool)
	return code, text(t, res), retryable
}

func TestConcurrentFirstCallsShareOneSandbox(t *testing.T) {
	t.Parallel()
	fake := &mcpserver.FakeBackend{}
	client := connect(t, mcpserver.NewFake(fake, nil))
	var wg sync.WaitGroup
	for range 10 {
		wg.Go(func() {
			if got := structured(t, client, "run_command", `{"command":"hello"}`); got["stdout"] != "hello" {
				t.Error(got)
			}
		})
	}
	wg.Wait()
	if n := len(fake.Created()); n != 1 {
		t.Errorf("%d sandboxes, want 1", n)
	}
}

// fields are the structured result, whether it is an error or not.
func fields(t testing.TB, res *mcp.CallToolResult) map[string]any {
	t.Helper()
	var fields map[string]any
	if err := json.Unmarshal([]byte(text(t, res)), &fields); err != nil {
		t.Fatalf("%v: %s", err, text(t, res))
	}
	return fields
}

// notes are the remarks of a result in one text.
func notes(fields map[string]any) string {
	list, _ := fields["notes"].([]any)
	var all []string
	for _, note := range list {
		all = append(all, note.(string))
	}
	return strings.Join(all, "\n")
}

// unquote reads the inside of a JSON string.
func unquote(t testing.TB, s string) string {
	t.Helper()
	var out string
	if err := json.Unmarshal([]byte(`"`+s+`"`), &out); err != nil {
		t.Fatal(err)
	}
	return out
}
