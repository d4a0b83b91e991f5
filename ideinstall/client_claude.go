package ideinstall

import "github.com/agentsandbox/agent-sandbox/ideinstall/internal/jsonc"

// claude is Claude Desktop. Its parser is strict JSON, and at a byte order mark
// it resets the file. On Windows the app may be packaged (MSIX), and then reads a
// private copy of the configuration directory. On Linux there are community
// builds only. Source: Anthropic's documentation of local MCP servers.
var claude = Target{
	ID: "claude", Aliases: []string{"claude-desktop"}, Name: "Claude Desktop", DefaultScope: ScopeUser,
	After: "Please restart Claude Desktop to apply changes.",
	files: map[Scope]fileSpec{
		ScopeUser: {pick: packagedFirst, candidates: []pathTemplate{
			inLocalAppData("Packages", "Claude_*", "LocalCache", "Roaming", "Claude", "claude_desktop_config.json"),
			inConfig("Claude", "claude_desktop_config.json"),
		}},
	},
	evidence: []pathTemplate{inConfig("Claude"), inLocalAppData("Packages", "Claude_*")},
	format:   jsonc.Format{Strict: true},
	keyPath:  []string{"mcpServers"},
	stdio:    shape{env: "env"},
	httpWhy:  "add the URL under Settings > Connectors of the app",
	secrets:  secretPolicy{user: SecretLiteral, specified: true},
}
