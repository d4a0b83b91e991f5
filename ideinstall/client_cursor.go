package ideinstall

import "github.com/agentsandbox/agent-sandbox/ideinstall/internal/jsonc"

// cursor has its directory in the home directory on every system, Windows
// included. Source: Cursor's documentation of MCP.
var cursor = Target{
	ID: "cursor", Name: "Cursor", DefaultScope: ScopeUser,
	After: "Please restart Cursor to apply changes.",
	files: map[Scope]fileSpec{
		ScopeUser:    {candidates: []pathTemplate{inHome(".cursor", "mcp.json")}, pick: firstExisting},
		ScopeProject: {candidates: []pathTemplate{inProject(".cursor", "mcp.json")}, pick: firstExisting},
	},
	evidence: []pathTemplate{inHome(".cursor")},
	programs: []string{"cursor"},
	format:   jsonc.Format{},
	keyPath:  []string{"mcpServers"},
	stdio:    shape{env: "env"},
	http:     &shape{url: "url", headers: "headers"},
	secrets:  secretPolicy{user: SecretLiteral, project: SecretEnv, reference: envReference, specified: true},
}
