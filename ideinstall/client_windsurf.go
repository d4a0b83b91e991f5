package ideinstall

import "github.com/agentsandbox/agent-sandbox/ideinstall/internal/jsonc"

// windsurf has no project file and no interpolation that its sources agree on.
// Source: Windsurf's documentation of Cascade MCP.
var windsurf = Target{
	ID: "windsurf", Name: "Windsurf", DefaultScope: ScopeUser,
	After: "Please press Refresh in Cascade's MCP panel to apply changes.",
	files: map[Scope]fileSpec{
		ScopeUser: {candidates: []pathTemplate{inHome(".codeium", "windsurf", "mcp_config.json")}, pick: firstExisting},
	},
	evidence: []pathTemplate{inHome(".codeium", "windsurf")},
	programs: []string{"windsurf"},
	format:   jsonc.Format{Strict: true},
	keyPath:  []string{"mcpServers"},
	stdio:    shape{env: "env"},
	http:     &shape{url: "serverUrl", headers: "headers"},
	secrets:  secretPolicy{user: SecretLiteral},
}
