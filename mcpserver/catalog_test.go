package mcpserver_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/agentsandbox/agent-sandbox/mcpserver"
)

var update = flag.Bool("update", false, "write the golden files of this package anew")

// golden compares with a file of testdata, or writes it with -update.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v (go test -update writes it)", err)
	}
	if string(got) != string(want) {
		t.Errorf("%s differs; see go test -update and git diff. Got:\n%s", path, got)
	}
}

// Each tool as tools/list shows it to a client: a change shows in review.
func TestToolSnapshots(t *testing.T) {
	t.Parallel()
	client := connect(t, mcpserver.NewFake(&mcpserver.FakeBackend{}, nil))
	list, err := client.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range list.Tools {
		data, err := json.MarshalIndent(tool, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		golden(t, "tools/"+tool.Name+".json", append(data, '\n'))
	}
}

// The tools, their arguments, types, defaults and what is required are a
// contract: they stay as they are documented.
func TestToolContract(t *testing.T) {
	t.Parallel()
	want := map[string]string{
		"create_sandbox": "envs object, template string, timeout integer=300",
		"run_code":       "code string!, language string=python, raw boolean=false, sandbox_id string, timeout integer=30",
		"run_command":    "command string!, cwd string=/app, raw boolean=false, sandbox_id string, timeout integer=60",
		"read_file":      "encoding string=utf-8, length integer, max_lines integer, offset integer, path string!, sandbox_id string, start_line integer",
		"write_file":     "content string!, encoding string=utf-8, path string!, sandbox_id string",
		"list_files":     "path string=/app, sandbox_id string",
		"kill_sandbox":   "sandbox_id string",
	}
	var names []string
	for _, tool := range mcpserver.Tools() {
		names = append(names, tool.Name)
		if got := signature(schemaOf(t, tool.InputSchema)); got != want[tool.Name] {
			t.Errorf("%s(%s), want (%s)", tool.Name, got, want[tool.Name])
		}
	}
	if order := "create_sandbox run_code run_command read_file write_file list_files kill_sandbox"; strings.Join(names, " ") != order {
		t.Errorf("tools %v, want %s", names, order)
	}
}

type schema struct {
	Type                 string
	Description          string
	Properties           map[string]*schema
	Items                *schema
	Enum                 []any
	Default              any
	Required             []string
	AdditionalProperties any
}

func schemaOf(t *testing.T, raw any) *schema {
	t.Helper()
	s := new(schema)
	dec := json.NewDecoder(strings.NewReader(string(raw.(json.RawMessage))))
	dec.DisallowUnknownFields() // anyOf, $ref, format and the like: some client chokes on each
	if err := dec.Decode(s); err != nil {
		t.Fatal(err)
	}
	return s
}

func signature(s *schema) string {
	var list []string
	for name, p := range s.Properties {
		text := name + " " + p.Type
		if p.Default != nil {
			text += fmt.Sprintf("=%v", p.Default)
		}
		if slices.Contains(s.Required, name) {
			text += "!"
		}
		list = append(list, text)
	}
	slices.Sort(list)
	return strings.Join(list, ", ")
}

// What the pickiest clients ask of a schema, all of it at once.
func TestSchemaPolicy(t *testing.T) {
	t.Parallel()
	for _, tool := range mcpserver.Tools() {
		if tool.Title == "" || tool.Description == "" || tool.Annotations == nil {
			t.Errorf("%s lacks a title, a description or annotations", tool.Name)
		}
		if longest := "agent-sandbox__" + tool.Name; len(longest) > 60 || !regexp.MustCompile(`^[a-zA-Z0-9_-]+$`).MatchString(longest) {
			t.Errorf("%s is no name for every client", longest)
		}
		in, out := schemaOf(t, tool.InputSchema), schemaOf(t, tool.OutputSchema)
		checkSchema(t, tool.Name+" input", in)
		checkSchema(t, tool.Name+" output", out)
		if in.Type != "object" || out.Type != "object" {
			t.Errorf("%s: schemas must be objects", tool.Name)
		}
		for name := range out.Properties {
			if required := slices.Contains(out.Required, name); required == (name == "notes") {
				t.Errorf("%s: every result but notes is always there, %s is not", tool.Name, name)
			}
		}
	}
}

func checkSchema(t *testing.T, where string, s *schema) {
	t.Helper()
	if s.Type == "array" && s.Items == nil {
		t.Errorf("%s: an array without items", where)
	}
	if s.AdditionalProperties != nil && !strings.HasSuffix(where, ".envs") {
		t.Errorf("%s: additionalProperties", where)
	}
	for _, value := range s.Enum {
		if _, ok := value.(string); !ok {
			t.Errorf("%s: enum value %v is no string", where, value)
		}
	}
	for name, p := range s.Properties {
		if p.Description == "" || p.Type == "" {
			t.Errorf("%s.%s lacks a description or a type", where, name)
		}
		checkSchema(t, where+"."+name, p)
	}
	for _, name := range s.Required {
		if s.Properties[name] == nil {
			t.Errorf("%s requires %s, which it does not have", where, name)
		}
	}
	if s.Items != nil {
		checkSchema(t, where+"[]", s.Items)
	}
}

func TestAnnotations(t *testing.T) {
	t.Parallel()
	type hints struct{ readOnly, destructive, idempotent, openWorld bool }
	want := map[string]hints{
		"create_sandbox": {openWorld: true},
		"run_code":       {destructive: true, openWorld: true},
		"run_command":    {destructive: true, openWorld: true},
		"read_file":      {readOnly: true, idempotent: true},
		"write_file":     {destructive: true, idempotent: true},
		"list_files":     {readOnly: true, idempotent: true},
		"kill_sandbox":   {destructive: true, idempotent: true},
	}
	for _, tool := range mcpserver.Tools() {
		a := tool.Annotations
		if a.DestructiveHint == nil || a.OpenWorldHint == nil {
			t.Errorf("%s leaves hints to their defaults", tool.Name)
			continue
		}
		if got := (hints{a.ReadOnlyHint, *a.DestructiveHint, a.IdempotentHint, *a.OpenWorldHint}); got != want[tool.Name] {
			t.Errorf("%s: %+v, want %+v", tool.Name, got, want[tool.Name])
		}
	}
}

// Clients may cut the instructions: the essentials stand in the first 500
// characters.
func TestInstructions(t *testing.T) {
	t.Parallel()
	client := connect(t, mcpserver.NewFake(&mcpserver.FakeBackend{}, nil))
	result := client.InitializeResult()
	start := result.Instructions[:min(500, len(result.Instructions))]
	for _, essential := range []string{"run_code", "run_command", "create_sandbox", "default sandbox", "sandbox_id"} {
		if !strings.Contains(start, essential) {
			t.Errorf("the first 500 characters lack %q", essential)
		}
	}
	for _, later := range []string{"E2b-Sandbox-Id", "E2b-Sandbox-Port", "49983"} {
		if !strings.Contains(result.Instructions, later) {
			t.Errorf("the instructions lack %q", later)
		}
	}
	if result.ServerInfo.Name != "agent-sandbox" || result.ServerInfo.Title == "" {
		t.Errorf("server %+v", result.ServerInfo)
	}
	if result.Capabilities.Tools == nil || result.Capabilities.Logging != nil || result.Capabilities.Prompts != nil {
		t.Errorf("capabilities %+v, want tools alone", result.Capabilities)
	}
}

func ExampleTools() {
	for _, tool := range mcpserver.Tools() {
		fmt.Println(tool.Name, "-", tool.Title)
	}
	// Output:
	// create_sandbox - Create sandbox
	// run_code - Run code
	// run_command - Run command
	// read_file - Read file
	// write_file - Write file
	// list_files - List files
	// kill_sandbox - Destroy sandbox
}
