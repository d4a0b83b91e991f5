package ideinstall

import (
	"github.com/agentsandbox/agent-sandbox/ideinstall/internal/conf"
	"github.com/agentsandbox/agent-sandbox/ideinstall/internal/jsonc"
)

// opencode refuses to load a file with an unknown field. Version 2 of its file
// keeps servers under mcp.servers, recognised by that object, and turns a server
// off by "disabled" instead of on by "enabled". Source: opencode's configuration
// schema.
var opencode = Target{
	ID: "opencode", Name: "opencode", DefaultScope: ScopeUser,
	After: "Please restart opencode to apply changes.",
	files: map[Scope]fileSpec{
		ScopeUser: {pick: opencodeFile, candidates: []pathTemplate{
			inHome(".config", "opencode", "opencode.jsonc"), inHome(".config", "opencode", "opencode.json"),
		}},
		ScopeProject: {pick: opencodeFile, candidates: []pathTemplate{
			inProject("opencode.jsonc"), inProject("opencode.json"),
			inProject(".opencode", "opencode.jsonc"), inProject(".opencode", "opencode.json"),
		}},
	},
	evidence:   []pathTemplate{inHome(".config", "opencode")},
	programs:   []string{"opencode"},
	format:     jsonc.Format{},
	keyPath:    []string{"mcp"},
	keyPathFor: opencodePath,
	stdio:      shape{kind: "local", argv: true, env: "environment"},
	http:       &shape{kind: "remote", url: "url", headers: "headers"},
	secrets:    secretPolicy{user: SecretEnv, project: SecretEnv, reference: curlyEnvReference},
}

func opencodePath(document any) []string {
	v2 := []string{"mcp", "servers"}
	servers, _ := conf.Lookup(document, v2)
	m, ok := servers.(map[string]any)
	if _, isServer := m["type"].(string); ok && !isServer {
		return v2
	}
	return v2[:1]
}

// opencodeFile prefers a file that exists, .jsonc first, and makes a .json.
func opencodeFile(env *Env, spec *fileSpec) ([]string, error) {
	all := spec.expand(env)
	if found := existing(env, all); len(found) > 0 {
		return found[:1], nil
	}
	return all[min(1, len(all)):min(2, len(all))], nil
}
