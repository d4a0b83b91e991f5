package tomldoc_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/agentsandbox/agent-sandbox/ideinstall/internal/conf"
	"github.com/agentsandbox/agent-sandbox/ideinstall/internal/tomldoc"
)

var seeds = []string{
	"", "\n", "a = 1", "a = 1\r\n", "\xef\xbb\xbf", "[a]\nb.c = [1, # x\n2]\n", "a = '''x'''''\n", "a = \"\"\"\\\"\"\"\"\"\"\n",
	"[mcp_servers]\n", "mcp_servers = {}", "[mcp_servers.\"agent-sandbox\"]\ncommand = 'x'\n", "[mcp_servers.'agent-sandbox']\n",
	"[[mcp_servers]]\n", "[mcp_servers.agent-sandbox]\nenv.A = 'x'\n[z]\n", "x = nan\ny = 1979-05-27T07:32:00Z\n",
	"[mcp_servers]\nagent-sandbox = {command = \"x\"}\n", "\"a#b\" = '#' # c\n[ x . \"y.z\" ]\n",
	"[mcp_servers.agent-sandbox.env]\nA = \"1\"\n", "[mcp_servers.agent-sandbox]\n[mcp_servers.agent-sandbox.env]\n# c\n[q]\n",
}

func FuzzEdit(f *testing.F) {
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) { checkEdits(t, src) })
}

// checkEdits holds what must be true of every document that is not refused.
func checkEdits(t *testing.T, src []byte) {
	t.Helper()
	format := tomldoc.Format{}
	base, _ := conf.Normalize(format, src)
	before, err := format.Parse(base)
	if err != nil {
		return
	}
	out, err := conf.Apply(format, src, []conf.Op{set(entryPath, entry)})
	if err != nil {
		failOnUnsafe(t, src, err)
		return
	}
	if _, had := conf.Lookup(before.Value(), entryPath); !had && !conf.Subsequence(base, out.Bytes) {
		t.Errorf("%q: bytes were lost: %q", src, out.Bytes)
	}
	again, err := conf.Apply(format, out.Bytes, []conf.Op{set(entryPath, entry)})
	if err != nil || again.Changed {
		t.Errorf("%q: second install changed %q (%v)", src, out.Bytes, err)
	}
	back, err := conf.Apply(format, out.Bytes, []conf.Op{{Path: entryPath}})
	if err != nil {
		failOnUnsafe(t, out.Bytes, err)
		return
	}
	if _, had := conf.Lookup(before.Value(), entryPath); !had && strings.TrimSpace(string(back.Bytes)) != strings.TrimSpace(string(base)) {
		t.Errorf("%q: install and remove gave %q", src, back.Bytes)
	}
}

func failOnUnsafe(t *testing.T, src []byte, err error) {
	t.Helper()
	var unsafe *conf.UnsafeEditError
	if errors.As(err, &unsafe) {
		t.Errorf("%q: %v", src, err)
	}
}
