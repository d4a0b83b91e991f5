package ideinstall

import "github.com/agentsandbox/agent-sandbox/ideinstall/internal/tomldoc"

// codex shares one TOML file between its CLI, IDE extension and desktop app. A
// field of the wrong transport, or a literal bearer_token, stops the whole file
// from loading. Secrets are named, never written: env_vars hands a variable on,
// bearer_token_env_var names the one with the token. Source: the types of
// openai/codex, codex-rs/config/src/mcp_types.rs.
var codex = Target{
	ID: "codex", Name: "Codex", DefaultScope: ScopeUser,
	After: "Please restart Codex to apply changes.",
	files: map[Scope]fileSpec{
		ScopeUser: {pick: firstKnown, candidates: []pathTemplate{
			inVariable("CODEX_HOME", "config.toml"), inHome(".codex", "config.toml"),
		}},
		ScopeProject: {candidates: []pathTemplate{inProject(".codex", "config.toml")}, pick: firstExisting},
	},
	evidence: []pathTemplate{inVariable("CODEX_HOME"), inHome(".codex")},
	programs: []string{"codex"},
	format:   tomldoc.Format{},
	keyPath:  []string{"mcp_servers"},
	stdio:    shape{env: "env", envList: "env_vars"},
	http:     &shape{url: "url", headers: "http_headers", bearerEnv: "bearer_token_env_var"},
	secrets:  secretPolicy{user: SecretEnv, project: SecretEnv},
}
