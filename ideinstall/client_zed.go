package ideinstall

import "github.com/agentsandbox/agent-sandbox/ideinstall/internal/jsonc"

// zed keeps servers in the settings of the whole editor, which people commit to
// dotfile repositories: no secret goes there by itself. On macOS the file is in
// ~/.config too. Source: Zed's documentation of context servers.
var zed = Target{
	ID: "zed", Name: "Zed", DefaultScope: ScopeUser,
	After: "Zed applies the change by itself.",
	files: map[Scope]fileSpec{
		ScopeUser: {pick: firstKnown, candidates: []pathTemplate{
			inConfig("Zed", "settings.json").on("windows"),
			inXDG("zed", "settings.json").on("linux"),
			inHome(".config", "zed", "settings.json").on("darwin"),
		}},
		ScopeProject: {candidates: []pathTemplate{inProject(".zed", "settings.json")}, pick: firstExisting},
	},
	evidence: []pathTemplate{inConfig("Zed").on("windows"), inXDG("zed").on("linux"), inHome(".config", "zed").on("darwin")},
	programs: []string{"zed"},
	format:   jsonc.Format{},
	keyPath:  []string{"context_servers"},
	stdio:    shape{env: "env"},
	http:     &shape{url: "url", headers: "headers"},
	secrets:  secretPolicy{user: SecretNone, project: SecretNone},
}
