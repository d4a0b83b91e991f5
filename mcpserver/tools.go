package mcpserver

import "github.com/modelcontextprotocol/go-sdk/mcp"

// instructions tell a model how the tools play together. Clients may cut them,
// so the essentials come first.
const instructions = `Tools to run code and commands and to work with files in an isolated Linux sandbox. ` +
	`Just call run_code or run_command: the first call makes a default sandbox, later calls without sandbox_id use the same one, and its files and variables stay. ` +
	`create_sandbox makes a fresh one and makes it the default. All sandboxes end with this session.`

// catalog is the one table of tools.
var catalog = []tool{
	{
		name: "create_sandbox", title: "Create sandbox",
		description: "Create a sandbox and make it the default of this session. Earlier sandboxes stay alive. " +
			"Usually not needed: the first call of any other tool makes a default sandbox.",
		annotations: mcp.ToolAnnotations{DestructiveHint: new(false), OpenWorldHint: new(true)},
		run:         createSandbox,
	},
	{
		name: "run_code", title: "Run code",
		description: "Execute code in the sandbox and return what it printed, the value of the last expression, the files it made and its figures. " +
			"Variables stay for the next call in the same language.",
		annotations: mcp.ToolAnnotations{DestructiveHint: new(true), OpenWorldHint: new(true)},
		run:         runCode,
	},
	{
		name: "run_command", title: "Run command",
		description: "Execute a shell command in the sandbox and return its output and exit code. A non-zero exit code is a result, not an error.",
		annotations: mcp.ToolAnnotations{DestructiveHint: new(true), OpenWorldHint: new(true)},
		run:         runCommand,
	},
}
