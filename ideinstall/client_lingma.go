package ideinstall

import "github.com/agentsandbox/agent-sandbox/ideinstall/internal/jsonc"

// lingma is Tongyi Lingma. The vendor documents no path, as with Qoder.
var lingma = Target{
	ID: "lingma", Aliases: []string{"tongyi"}, Name: "Lingma", DefaultScope: ScopeUser, Beta: true,
	After:        "Please enable the server in Lingma's MCP settings (Agent mode, at most 10 servers).",
	AfterRemoval: "Please restart Lingma to apply changes.",
	files: map[Scope]fileSpec{
		ScopeUser: {candidates: []pathTemplate{inConfig("Lingma", "SharedClientCache", "mcp.json")}, pick: onlyKnown},
	},
	evidence: []pathTemplate{inConfig("Lingma")},
	format:   jsonc.Format{},
	keyPath:  []string{"mcpServers"},
	stdio:    shape{env: "env"},
	http:     &shape{url: "url", headers: "headers"},
	secrets:  secretPolicy{user: SecretLiteral},
}
