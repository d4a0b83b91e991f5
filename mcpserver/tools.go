package mcpserver

import "github.com/modelcontextprotocol/go-sdk/mcp"

// instructions tell a model how the tools play together. Clients may cut them,
// so the essentials come first.
const instructions = `Run code and commands and work with files in an isolated Linux sandbox. ` +
	`Just call run_code or run_command: the first call makes a default sandbox; later calls without sandbox_id use the same one, and its files and variables stay. ` +
	`create_sandbox makes a fresh one and makes it the default. ` +
	`Use absolute paths. A sandbox ends when it was idle for its timeout, and all end with this session: copy out with read_file what you need.

Long output is shortened; full_output then names a file with all of it. ` +
	`A non-zero exit_code is a result, not a failure of the tool. ` +
	`To leave a server running, end the command with &. ` +
	`To reach a server in the sandbox, take the url that create_sandbox gives and replace 49983 by the server's port; ` +
	`where such host names do not resolve, send the request to the address behind the url with the headers E2b-Sandbox-Id: <sandbox_id> and E2b-Sandbox-Port: <port>. ` +
	`A failed call has a code and says whether it may be repeated, in _meta "agent-sandbox/error".`

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
	{
		name: "read_file", title: "Read file",
		description: "Read a file of the sandbox, as text or base64. Long files come in parts: pass start_line and max_lines, or offset and length, to page through.",
		annotations: mcp.ToolAnnotations{ReadOnlyHint: true, DestructiveHint: new(false), IdempotentHint: true, OpenWorldHint: new(false)},
		run:         readFile,
	},
	{
		name: "write_file", title: "Write file",
		description: "Create or overwrite a file in the sandbox, byte for byte. Missing parent directories are made.",
		annotations: mcp.ToolAnnotations{DestructiveHint: new(true), IdempotentHint: true, OpenWorldHint: new(false)},
		run:         writeFile,
	},
	{
		name: "list_files", title: "List files",
		description: "List a directory of the sandbox: files, directories and links with their sizes.",
		annotations: mcp.ToolAnnotations{ReadOnlyHint: true, DestructiveHint: new(false), IdempotentHint: true, OpenWorldHint: new(false)},
		run:         listFiles,
	},
	{
		name: "kill_sandbox", title: "Destroy sandbox",
		description: "Destroy a sandbox with its files and processes, or the default sandbox when no id is given. Sandboxes also end with the session.",
		annotations: mcp.ToolAnnotations{DestructiveHint: new(true), IdempotentHint: true, OpenWorldHint: new(false)},
		run:         killSandbox,
	},
}
