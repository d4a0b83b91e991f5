package ideinstall

import "github.com/agentsandbox/agent-sandbox/ideinstall/internal/jsonc"

// gemini names the URL "httpUrl"; its "url" would mean SSE. Source: Gemini CLI's
// documentation of MCP servers.
var gemini = Target{
	ID: "gemini", Name: "Gemini CLI", DefaultScope: ScopeUser,
	After: "Please restart Gemini CLI to apply changes.",
	files: map[Scope]fileSpec{
		ScopeUser:    {candidates: []pathTemplate{inHome(".gemini", "settings.json")}, pick: firstExisting},
		ScopeProject: {candidates: []pathTemplate{inProject(".gemini", "settings.json")}, pick: firstExisting},
	},
	evidence: []pathTemplate{inHome(".gemini", "settings.json")},
	programs: []string{"gemini"},
	format:   jsonc.Format{},
	keyPath:  []string{"mcpServers"},
	stdio:    shape{env: "env"},
	http:     &shape{url: "httpUrl", headers: "headers"},
	secrets:  secretPolicy{user: SecretEnv, project: SecretEnv, reference: dollarReference},
}
