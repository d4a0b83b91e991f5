package ideinstall

import (
	"encoding/base64"
	"net/url"
	"slices"
	"strings"

	"github.com/agentsandbox/agent-sandbox/ideinstall/internal/conf"
	"github.com/agentsandbox/agent-sandbox/ideinstall/internal/jsonc"
)

// deepLinks build the links that make a client offer the entry to its user.
var deepLinks = map[string]func(name string, entry, inputs conf.Object) string{
	"cursor": cursorLink("cursor://anysphere.cursor-deeplink/mcp/install"),
	"vscode": vscodeLink("vscode"), "vscode-insiders": vscodeLink("vscode-insiders"),
	"lmstudio": cursorLink("lmstudio://add_mcp"),
}

// Link is a deep link that installs the entry with one click. A secret is never
// part of it: a literal is left out, a reference stays.
func Link(t *Target, server *Server, opts *Options) (string, error) {
	build := deepLinks[t.ID]
	if build == nil {
		return "", &UnsupportedError{Target: t, What: "deep links", Hint: "use --print"}
	}
	if err := server.Validate(); err != nil {
		return "", err
	}
	p := newPlan(&Env{}, t, server, opts)
	secret, err := t.secrets.resolve(t, p.Scope, p.opts.Secret, server)
	if err != nil {
		return "", err
	}
	if secret.mode == SecretLiteral {
		secret.mode = SecretNone
	}
	sh, err := t.shapeFor(server.Transport)
	if err != nil {
		return "", err
	}
	var inputs conf.Object
	if secret.mode == SecretInput {
		inputs = secret.input()
	}
	return build(server.Name, sh.entry(server, secret), inputs), nil
}

// cursorLink has the base64 of the entry in its query.
func cursorLink(base string) func(string, conf.Object, conf.Object) string {
	return func(name string, entry, _ conf.Object) string {
		config := base64.StdEncoding.EncodeToString([]byte(jsonc.Compact(entry)))
		return base + "?name=" + url.QueryEscape(name) + "&config=" + url.QueryEscape(config)
	}
}

// vscodeLink has the entry, its name and inputs as escaped JSON. Spaces become
// %20 as in JavaScript's encodeURIComponent, never "+".
func vscodeLink(scheme string) func(string, conf.Object, conf.Object) string {
	return func(name string, entry, inputs conf.Object) string {
		o := slices.Concat(conf.Object{{Key: "name", Value: name}}, entry)
		if inputs != nil {
			o = append(o, conf.Member{Key: "inputs", Value: []any{inputs}})
		}
		return scheme + ":mcp/install?" + strings.ReplaceAll(url.QueryEscape(jsonc.Compact(o)), "+", "%20")
	}
}
