package ideinstall

import "github.com/agentsandbox/agent-sandbox/ideinstall/internal/jsonc"

// claudeCode keeps its user file open and rewrites it from every running
// session, so its own command is preferred there. Source: Claude Code's
// documentation of MCP.
var claudeCode = Target{
	ID: "claude-code", Name: "Claude Code", DefaultScope: ScopeUser,
	After: "Please start a new Claude Code session to apply changes.",
	files: map[Scope]fileSpec{
		ScopeUser: {pick: firstKnown, candidates: []pathTemplate{
			inVariable("CLAUDE_CONFIG_DIR", ".claude.json"), inHome(".claude.json"),
		}},
		ScopeProject: {candidates: []pathTemplate{inProject(".mcp.json")}, pick: firstExisting},
	},
	evidence: []pathTemplate{inVariable("CLAUDE_CONFIG_DIR"), inHome(".claude.json"), inHome(".claude")},
	programs: []string{"claude"},
	format:   jsonc.Format{Strict: true},
	keyPath:  []string{"mcpServers"},
	stdio:    shape{kind: "stdio", env: "env"},
	http:     &shape{kind: "http", url: "url", headers: "headers"},
	secrets:  secretPolicy{user: SecretEnv, project: SecretEnv, reference: bracedReference},
	command:  &claudeCommand,
}
