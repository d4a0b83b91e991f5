package ideinstall

import (
	"bytes"
	"errors"
	"testing"

	"github.com/agentsandbox/agent-sandbox/ideinstall/internal/conf"
)

// FuzzMerge installs, installs again, changes the transport and removes, in a
// document that already has an entry of any form. No step may give a result that
// the writer has to refuse, and a second installation changes nothing.
func FuzzMerge(f *testing.F) {
	for _, entry := range []string{
		`{}`, `null`, `[]`, `"x"`, `{"command": "abx", "args": null, "env": null}`, `{"command": ["abx", "mcp"], "environment": {"A": "b"}}`,
		`{"url": "https://x", "headers": {"Authorization": "Bearer x", "X": "y"}, "type": "http"}`,
		`{"command": "abx", "env": {"ABX_SANDBOX_API_KEY": "old",},}`, `{"command": 1, "args": ["mcp"], "url": 2, "type": []}`,
		`{"command": "abx", "command": "abx"}`, `{"env": "x", "tools": [], "disabled": true} // c`,
	} {
		f.Add([]byte("{\"mcpServers\": {\"n\": "+entry+"\n}, \"mcp\": {\"n\": "+entry+"\n}, \"servers\": {\"n\": "+entry+"\n}, \"inputs\": []}"), byte(0), false)
		f.Add([]byte(`{"servers":{"n":`+entry+"\n}}"), byte(2), true)
	}
	for _, toml := range []string{
		"[mcp_servers.n]\ncommand = \"abx\"\nargs = [\"mcp\"]\n\n[mcp_servers.n.env]\nABX_SANDBOX_API_KEY = \"x\"\n",
		"[mcp_servers.n]\nurl = \"https://x\"\nhttp_headers = { Authorization = \"Bearer x\" }\n",
		"[mcp_servers]\nn = { command = \"abx\" }\n", "mcp_servers.n.command = \"abx\"\n",
	} {
		f.Add([]byte(toml), byte(11), false)
	}
	f.Fuzz(func(t *testing.T, src []byte, which byte, literal bool) {
		tg := targets[int(which)%len(targets)]
		secret := &resolvedSecret{mode: SecretNone, variable: "ABX_SANDBOX_API_KEY"}
		if literal {
			secret.mode, secret.text, secret.explicit = SecretLiteral, "k\"ey", true
		}
		for _, s := range []*Server{
			{Name: "n", Transport: TransportStdio, Command: `C:\abx.exe`, Args: []string{"mcp", "start"}},
			{Name: "n", Transport: TransportHTTP, URL: "https://x/mcp"},
		} {
			if s.Transport == TransportHTTP && tg.http == nil {
				continue
			}
			m := &merger{target: tg, server: s, secret: secret}
			if src = fuzzStep(t, tg, src, m.install); src == nil {
				return
			}
			if again := fuzzStep(t, tg, src, m.install); !bytes.Equal(again, src) {
				t.Fatalf("%s: a second installation made\n%s\nof\n%s", tg.ID, again, src)
			}
		}
		m := &merger{target: tg, server: &Server{Name: "n"}, secret: &resolvedSecret{mode: SecretNone}}
		fuzzStep(t, tg, src, m.remove)
	})
}

// fuzzStep edits src; nil when the document was refused for a good reason.
func fuzzStep(t *testing.T, tg *Target, src []byte, plan func(conf.Document) ([]conf.Op, error)) []byte {
	t.Helper()
	base, _ := conf.Normalize(tg.format, src)
	doc, err := tg.format.Parse(base)
	if err != nil {
		return nil
	}
	ops, err := plan(doc)
	if err != nil {
		return nil
	}
	result, err := conf.Apply(tg.format, src, ops)
	var unsafe *conf.UnsafeEditError
	if errors.As(err, &unsafe) {
		t.Fatalf("%s: %v\n%s", tg.ID, err, src)
	}
	if err != nil {
		return nil
	}
	return result.Bytes
}
