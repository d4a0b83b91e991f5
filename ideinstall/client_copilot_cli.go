package ideinstall

import (
	"github.com/agentsandbox/agent-sandbox/ideinstall/internal/conf"
	"github.com/agentsandbox/agent-sandbox/ideinstall/internal/jsonc"
)

// copilotCLI wants a list of tools in every entry; older versions reject one
// without. Source: GitHub's documentation of Copilot CLI.
var copilotCLI = Target{
	ID: "copilot-cli", Aliases: []string{"copilot"}, Name: "Copilot CLI", DefaultScope: ScopeUser,
	After: "Please restart Copilot CLI to apply changes.",
	files: map[Scope]fileSpec{
		ScopeUser: {pick: firstKnown, candidates: []pathTemplate{
			inVariable("COPILOT_HOME", "mcp-config.json"), inHome(".copilot", "mcp-config.json"),
		}},
		ScopeProject: {candidates: []pathTemplate{inProject(".github", "mcp.json")}, pick: firstExisting},
	},
	evidence: []pathTemplate{inVariable("COPILOT_HOME"), inHome(".copilot")},
	programs: []string{"copilot"},
	format:   jsonc.Format{},
	keyPath:  []string{"mcpServers"},
	stdio:    shape{kind: "local", env: "env", extra: conf.Object{{Key: "tools", Value: []string{"*"}}}},
	http:     &shape{kind: "http", url: "url", headers: "headers", extra: conf.Object{{Key: "tools", Value: []string{"*"}}}},
	secrets:  secretPolicy{user: SecretEnv, project: SecretEnv, reference: bracedReference},
}
