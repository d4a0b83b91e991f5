package ideinstall

import "github.com/agentsandbox/agent-sandbox/ideinstall/internal/jsonc"

// vscode is Visual Studio Code with Copilot. A workspace file is read by the
// remote host, the user file by the local one. Source: VS Code's MCP
// configuration reference.
var vscode = Target{
	ID: "vscode", Aliases: []string{"code"}, Name: "VS Code", DefaultScope: ScopeProject,
	After:        "Please start the server in VS Code when it asks to trust it.",
	AfterRemoval: "VS Code stops the server by itself.",
	files:        vscodeFiles("Code"),
	evidence:     []pathTemplate{inConfig("Code", "User")},
	programs:     []string{"code"},
	format:       jsonc.Format{},
	keyPath:      []string{"servers"},
	stdio:        vscodeStdio,
	http:         &vscodeHTTP,
	secrets:      vscodeSecrets,
}

var (
	vscodeStdio   = shape{kind: "stdio", env: "env"}
	vscodeHTTP    = shape{kind: "http", url: "url", headers: "headers"}
	vscodeSecrets = secretPolicy{user: SecretNone, project: SecretNone, http: SecretEnv, reference: envReference, inputs: true}
)

// vscodeFiles are the files of an edition, whose settings directory has its name.
func vscodeFiles(edition string) map[Scope]fileSpec {
	return map[Scope]fileSpec{
		ScopeUser:    {candidates: []pathTemplate{inConfig(edition, "User", "mcp.json")}, pick: firstExisting},
		ScopeProject: {candidates: []pathTemplate{inProject(".vscode", "mcp.json")}, pick: firstExisting},
	}
}
