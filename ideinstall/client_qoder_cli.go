package ideinstall

import "github.com/agentsandbox/agent-sandbox/ideinstall/internal/jsonc"

// qoderCLI is the command-line agent; the IDE has a file of its own. Source:
// Qoder CLI's documentation of MCP.
var qoderCLI = Target{
	ID: "qoder-cli", Name: "Qoder CLI", DefaultScope: ScopeUser,
	After: "Please run /mcp reload in Qoder CLI to apply changes.",
	files: map[Scope]fileSpec{
		ScopeUser:    {candidates: []pathTemplate{inHome(".qoder", "settings.json")}, pick: firstExisting},
		ScopeProject: {candidates: []pathTemplate{inProject(".qoder", "settings.json")}, pick: firstExisting},
	},
	evidence: []pathTemplate{inHome(".qoder", "settings.json")},
	programs: []string{"qodercli"},
	format:   jsonc.Format{},
	keyPath:  []string{"mcpServers"},
	stdio:    shape{kind: "stdio", env: "env"},
	http:     &shape{kind: "http", url: "url", headers: "headers"},
	secrets:  secretPolicy{user: SecretLiteral, project: SecretNone},
}
