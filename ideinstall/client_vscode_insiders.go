package ideinstall

import "github.com/agentsandbox/agent-sandbox/ideinstall/internal/jsonc"

// vscodeInsiders shares the workspace file with VS Code.
var vscodeInsiders = Target{
	ID: "vscode-insiders", Aliases: []string{"code-insiders"}, Name: "VS Code Insiders", DefaultScope: ScopeUser,
	After:        "Please start the server in VS Code Insiders when it asks to trust it.",
	AfterRemoval: "VS Code Insiders stops the server by itself.",
	files:        vscodeFiles("Code - Insiders"),
	evidence:     []pathTemplate{inConfig("Code - Insiders", "User")},
	programs:     []string{"code-insiders"},
	format:       jsonc.Format{},
	keyPath:      []string{"servers"},
	stdio:        vscodeStdio,
	http:         &vscodeHTTP,
	secrets:      vscodeSecrets,
}
