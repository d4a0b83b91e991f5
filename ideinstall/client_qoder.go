package ideinstall

import "github.com/agentsandbox/agent-sandbox/ideinstall/internal/jsonc"

// qoder is the IDE. The vendor documents no path: it is written only where a
// file or its directory is already there.
var qoder = Target{
	ID: "qoder", Name: "Qoder", DefaultScope: ScopeUser, Beta: true,
	After:        "Please enable the server in Qoder's MCP settings (Agent mode, at most 10 servers).",
	AfterRemoval: "Please restart Qoder to apply changes.",
	files: map[Scope]fileSpec{
		ScopeUser: {pick: onlyKnown, candidates: []pathTemplate{
			inConfig("Qoder", "SharedClientCache", "mcp.json"),
			inConfig("QoderCN", "SharedClientCache", "mcp.json"),
			inConfig("QoderCN", "*", "SharedClientCache", "mcp.json"),
		}},
	},
	evidence: []pathTemplate{inConfig("Qoder"), inConfig("QoderCN")},
	format:   jsonc.Format{},
	keyPath:  []string{"mcpServers"},
	stdio:    shape{env: "env"},
	http:     &shape{url: "url", headers: "headers"},
	secrets:  secretPolicy{user: SecretLiteral},
}
