package ideinstall

import "github.com/agentsandbox/agent-sandbox/ideinstall/internal/jsonc"

// continueDev reads every file of a directory in the workspace, so the entry has
// a file for itself and nothing is merged. Source: continuedev/continue.
var continueDev = Target{
	ID: "continue", Name: "Continue", DefaultScope: ScopeProject,
	After: "Continue applies the change by itself.",
	files: map[Scope]fileSpec{
		ScopeProject: {candidates: []pathTemplate{inProject(".continue", "mcpServers", "agent-sandbox.json")}, pick: firstExisting, ownFile: true},
	},
	evidence: []pathTemplate{inHome(".continue")},
	format:   jsonc.Format{},
	keyPath:  []string{"mcpServers"},
	stdio:    shape{env: "env"},
	http:     &shape{kind: "streamable-http", url: "url", headers: "headers"},
	secrets:  secretPolicy{project: SecretNone},
}
