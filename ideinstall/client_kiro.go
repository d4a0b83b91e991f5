package ideinstall

import "github.com/agentsandbox/agent-sandbox/ideinstall/internal/jsonc"

// kiro asks the user to approve each variable that a file refers to. Source:
// Kiro's documentation of MCP configuration.
var kiro = Target{
	ID: "kiro", Name: "Kiro", DefaultScope: ScopeUser,
	After: "Kiro applies the change by itself.",
	files: map[Scope]fileSpec{
		ScopeUser:    {candidates: []pathTemplate{inHome(".kiro", "settings", "mcp.json")}, pick: firstExisting},
		ScopeProject: {candidates: []pathTemplate{inProject(".kiro", "settings", "mcp.json")}, pick: firstExisting},
	},
	evidence: []pathTemplate{inHome(".kiro")},
	programs: []string{"kiro"},
	format:   jsonc.Format{},
	keyPath:  []string{"mcpServers"},
	stdio:    shape{env: "env"},
	http:     &shape{url: "url", headers: "headers"},
	secrets:  secretPolicy{user: SecretEnv, project: SecretEnv, reference: bracedReference},
}
