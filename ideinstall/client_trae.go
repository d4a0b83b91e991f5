package ideinstall

import (
	"strings"

	"github.com/agentsandbox/agent-sandbox/ideinstall/internal/jsonc"
)

// trae splits its command at spaces. Its paths are reported by users. Source:
// Trae's documentation of MCP servers.
var trae = Target{
	ID: "trae", Name: "Trae", DefaultScope: ScopeUser, Beta: true,
	After: "Please restart Trae to apply changes.",
	files: map[Scope]fileSpec{
		ScopeUser: {pick: onlyKnown, candidates: []pathTemplate{
			inConfig("Trae", "User", "mcp.json"),
			inConfig("Trae CN", "User", "mcp.json"),
			inConfig("TRAE SOLO CN", "User", "mcp.json"),
		}},
		ScopeProject: {candidates: []pathTemplate{inProject(".trae", "mcp.json")}, pick: firstExisting},
	},
	evidence: []pathTemplate{inConfig("Trae"), inConfig("Trae CN"), inConfig("TRAE SOLO CN")},
	programs: []string{"trae"},
	format:   jsonc.Format{},
	keyPath:  []string{"mcpServers"},
	stdio:    shape{env: "env"},
	http:     &shape{url: "url", headers: "headers"},
	secrets:  secretPolicy{user: SecretLiteral, project: SecretNone},
	check:    noSpaceInCommand,
}

func noSpaceInCommand(s *Server) error {
	if s.Transport == TransportStdio && strings.ContainsAny(s.Command, " \t") {
		return &InvalidError{"command", "Trae cannot start a program whose path has a space: " + s.Command}
	}
	return nil
}
