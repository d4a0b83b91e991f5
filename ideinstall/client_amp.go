package ideinstall

import "github.com/agentsandbox/agent-sandbox/ideinstall/internal/jsonc"

// amp has one key with a dot in it, "amp.mcpServers", on every system below
// ~/.config. Source: Amp's manual.
var amp = Target{
	ID: "amp", Name: "Amp", DefaultScope: ScopeUser,
	After: "Please restart Amp to apply changes.",
	files: map[Scope]fileSpec{
		ScopeUser: {pick: firstExisting, candidates: []pathTemplate{
			inHome(".config", "amp", "settings.json"), inHome(".config", "amp", "settings.jsonc"),
		}},
		ScopeProject: {pick: firstExisting, candidates: []pathTemplate{
			inProject(".amp", "settings.json"), inProject(".amp", "settings.jsonc"),
		}},
	},
	evidence: []pathTemplate{inHome(".config", "amp")},
	programs: []string{"amp"},
	format:   jsonc.Format{},
	keyPath:  []string{"amp.mcpServers"},
	stdio:    shape{env: "env"},
	http:     &shape{url: "url", headers: "headers"},
	secrets:  secretPolicy{user: SecretLiteral, project: SecretNone},
}
