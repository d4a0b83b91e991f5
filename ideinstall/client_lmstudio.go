package ideinstall

import "github.com/agentsandbox/agent-sandbox/ideinstall/internal/jsonc"

// lmstudio follows Cursor's notation; some installations keep the file below
// ~/.cache. Source: LM Studio's documentation of MCP.
var lmstudio = Target{
	ID: "lmstudio", Aliases: []string{"lm-studio"}, Name: "LM Studio", DefaultScope: ScopeUser,
	After: "LM Studio applies the change by itself.",
	files: map[Scope]fileSpec{
		ScopeUser: {pick: firstExisting, candidates: []pathTemplate{
			inHome(".lmstudio", "mcp.json"), inHome(".cache", "lm-studio", "mcp.json"),
		}},
	},
	evidence: []pathTemplate{inHome(".lmstudio"), inHome(".cache", "lm-studio")},
	programs: []string{"lms"},
	format:   jsonc.Format{},
	keyPath:  []string{"mcpServers"},
	stdio:    shape{env: "env"},
	http:     &shape{url: "url", headers: "headers"},
	secrets:  secretPolicy{user: SecretLiteral},
}
