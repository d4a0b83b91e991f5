package ideinstall_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/agentsandbox/agent-sandbox/ideinstall"
)

// exampleEnv is a machine in a temporary directory; a program uses System.
func exampleEnv() (env *ideinstall.Env, remove func()) {
	home, err := os.MkdirTemp("", "example")
	if err != nil {
		panic(err)
	}
	return &ideinstall.Env{
		GOOS: "linux", Home: home, Project: filepath.Join(home, "project"),
		Getenv:   func(string) string { return "" },
		Exists:   func(path string) bool { _, err := os.Stat(path); return err == nil },
		Glob:     func(string) []string { return nil },
		LookPath: func(string) string { return "" },
		Now:      time.Now,
	}, func() { os.RemoveAll(home) }
}

func ExamplePlanInstall() {
	env, remove := exampleEnv()
	defer remove()
	targets, err := ideinstall.Select(env, []string{"cursor"})
	if err != nil {
		fmt.Println(err)
		return
	}
	plan, err := ideinstall.PlanInstall(env, targets[0], &ideinstall.Server{
		Name: "agent-sandbox", Transport: ideinstall.TransportStdio,
		Command: "/usr/local/bin/abx", Args: []string{"mcp", "start"},
		Secret: ideinstall.Secret{Variable: "ABX_SANDBOX_API_KEY", Value: "e2b_secret"},
	}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	diff := plan.Changes[0].Diff() // with the key masked
	fmt.Print(diff[strings.Index(diff, "@@"):])
	if err := plan.Apply(context.Background()); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(env.Display(plan.Changes[0].Path), plan.Changes[0].Action)
	fmt.Println(plan.After())
	// Output:
	// @@ -0,0 +1,11 @@
	// +{
	// +  "mcpServers": {
	// +    "agent-sandbox": {
	// +      "command": "/usr/local/bin/abx",
	// +      "args": ["mcp", "start"],
	// +      "env": {
	// +        "ABX_SANDBOX_API_KEY": "***"
	// +      }
	// +    }
	// +  }
	// +}
	// ~/.cursor/mcp.json create
	// Please restart Cursor to apply changes.
}

func ExampleInspect() {
	env, remove := exampleEnv()
	defer remove()
	server := &ideinstall.Server{Name: "agent-sandbox", Transport: ideinstall.TransportStdio, Command: "/usr/local/bin/abx"}
	for _, t := range ideinstall.Targets()[:3] {
		for _, s := range ideinstall.Inspect(env, t, t.DefaultScope, server) {
			fmt.Println(t.ID, s.Scope, s.State)
		}
	}
	// Output:
	// cursor user not detected
	// claude user not detected
	// vscode project not detected
}

func ExampleSnippet() {
	targets, err := ideinstall.Select(nil, []string{"codex"})
	if err != nil {
		fmt.Println(err)
		return
	}
	text, err := ideinstall.Snippet(targets[0], &ideinstall.Server{
		Name: "agent-sandbox", Transport: ideinstall.TransportHTTP, URL: "https://example.com/mcp",
		Secret: ideinstall.Secret{Variable: "ABX_MCP_AUTH_TOKEN", Value: "secret"},
	}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(text)
	// Output:
	// [mcp_servers.agent-sandbox]
	// url = "https://example.com/mcp"
	// bearer_token_env_var = "ABX_MCP_AUTH_TOKEN"
}

func ExampleLink() {
	targets, err := ideinstall.Select(nil, []string{"cursor"})
	if err != nil {
		fmt.Println(err)
		return
	}
	link, err := ideinstall.Link(targets[0], &ideinstall.Server{
		Name: "agent-sandbox", Transport: ideinstall.TransportStdio, Command: "abx", Args: []string{"mcp", "start"},
	}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(link)
	// Output:
	// cursor://anysphere.cursor-deeplink/mcp/install?name=agent-sandbox&config=eyJjb21tYW5kIjoiYWJ4IiwiYXJncyI6WyJtY3AiLCJzdGFydCJdfQ%3D%3D
}
