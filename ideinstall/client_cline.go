package ideinstall

import "github.com/agentsandbox/agent-sandbox/ideinstall/internal/jsonc"

// cline is an extension of several editors and a command-line agent, each with a
// file of its own; all that exist are kept in step. A remote entry without its
// type would be taken for SSE. Source: cline/cline.
var cline = Target{
	ID: "cline", Name: "Cline", DefaultScope: ScopeUser,
	After: "Cline applies the change by itself.",
	files: map[Scope]fileSpec{
		ScopeUser: {pick: allExisting, candidates: []pathTemplate{
			inConfig(clineStorage("Code")...),
			inConfig(clineStorage("Code - Insiders")...),
			inConfig(clineStorage("Cursor")...),
			inVariable("CLINE_MCP_SETTINGS_PATH"),
			inVariable("CLINE_DIR", "data", "settings", "cline_mcp_settings.json"),
			inHome(".cline", "data", "settings", "cline_mcp_settings.json"),
		}},
	},
	evidence: []pathTemplate{
		inConfig("Code", "User", "globalStorage", "saoudrizwan.claude-dev"),
		inConfig("Code - Insiders", "User", "globalStorage", "saoudrizwan.claude-dev"),
		inConfig("Cursor", "User", "globalStorage", "saoudrizwan.claude-dev"),
		inHome(".cline"),
	},
	programs: []string{"cline"},
	format:   jsonc.Format{},
	keyPath:  []string{"mcpServers"},
	stdio:    shape{env: "env"},
	http:     &shape{kind: "streamableHttp", url: "url", headers: "headers"},
	secrets:  secretPolicy{user: SecretLiteral},
}

func clineStorage(editor string) []string {
	return []string{editor, "User", "globalStorage", "saoudrizwan.claude-dev", "settings", "cline_mcp_settings.json"}
}
