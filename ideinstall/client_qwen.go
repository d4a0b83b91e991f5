package ideinstall

import "github.com/agentsandbox/agent-sandbox/ideinstall/internal/jsonc"

// qwen names the URL "httpUrl"; its "url" would mean SSE. Source: Qwen Code's
// documentation of MCP servers.
var qwen = Target{
	ID: "qwen", Name: "Qwen Code", DefaultScope: ScopeUser,
	After: "Please restart Qwen Code to apply changes.",
	files: map[Scope]fileSpec{
		ScopeUser:    {candidates: []pathTemplate{inHome(".qwen", "settings.json")}, pick: firstExisting},
		ScopeProject: {candidates: []pathTemplate{inProject(".qwen", "settings.json")}, pick: firstExisting},
	},
	evidence: []pathTemplate{inHome(".qwen", "settings.json")},
	programs: []string{"qwen"},
	format:   jsonc.Format{},
	keyPath:  []string{"mcpServers"},
	stdio:    shape{env: "env"},
	http:     &shape{url: "httpUrl", headers: "headers"},
	secrets:  secretPolicy{user: SecretEnv, project: SecretEnv, reference: dollarReference},
}
