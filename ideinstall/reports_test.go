package ideinstall_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/agentsandbox/agent-sandbox/ideinstall"
)

// Content that public installers lost or mangled. Each case is the reported
// input; the file must afterwards be the input plus our lines.
func TestReportedContentSurvives(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		report, target, in, want string
	}{
		"comment inside the servers": {
			"microsoft/vscode#253554", "vscode",
			"{\"servers\":{ // x\n \"a\":{}}}",
			"{\"servers\":{ // x\n \"a\":{},\n ENTRY(1)}}",
		},
		"comment before a foreign section": {
			"supermemoryai/install-mcp#41", "opencode",
			"{ // m\n \"theme\":\"x\",\"mcp\":{} }",
			"{ // m\n \"theme\":\"x\",\"mcp\":{\n  ENTRY(2)\n } }",
		},
		"trailing comma": {
			"plur-ai/plur#1059", "cursor",
			`{"mcpServers":{"a":{},"b":{},}}`,
			`{"mcpServers":{"a":{},"b":{},ENTRY(inline),}}`,
		},
		"inputs beside the servers": {
			"laravel/boost#107", "vscode",
			"{\n  \"inputs\": [{\"id\": \"x\"}],\n  \"servers\": {}\n}\n",
			"{\n  \"inputs\": [{\"id\": \"x\"}],\n  \"servers\": {\n    ENTRY(4)\n  }\n}\n",
		},
		"byte order mark": {
			"tradesdontlie/tradingview-mcp#406", "claude",
			"\xef\xbb\xbf{\n  \"mcpServers\": {}\n}",
			"{\n  \"mcpServers\": {\n    ENTRY(4)\n  }\n}",
		},
		"empty file":       {"Agentscreator/engram-memory#3", "claude", "", "{\n  \"mcpServers\": {\n    ENTRY(4)\n  }\n}\n"},
		"white space only": {"kirodotdev/Kiro#6354", "kiro", " \n\t", "{\n  \"mcpServers\": {\n    ENTRY(4)\n  }\n}\n"},
		"byte order mark only": {
			"wanghuan9/skilldock#20", "cursor", "\xef\xbb\xbf", "{\n  \"mcpServers\": {\n    ENTRY(4)\n  }\n}\n",
		},
		"null section": {
			"Neko-Catpital-Labs/Invoker#2602", "cursor",
			"{\n  \"mcpServers\": null\n}\n", "{\n  \"mcpServers\": {\n    ENTRY(4)\n  }\n}\n",
		},
		"slashes in a URL": {
			"0xmariowu/Autosearch#318", "cursor",
			"{\n  \"mcpServers\": {\n    \"a\": {\"url\": \"https://x\"}\n  }\n}\n",
			"{\n  \"mcpServers\": {\n    \"a\": {\"url\": \"https://x\"},\n    ENTRY(4)\n  }\n}\n",
		},
		"order, escapes, no final newline": {
			"vshulcz/deja-vu#1665", "gemini",
			"{\n    \"z\": \"a\\/b\\u4e2d\",\n    \"a\": \"<&>\",\n    \"mcpServers\": {}\n}",
			"{\n    \"z\": \"a\\/b\\u4e2d\",\n    \"a\": \"<&>\",\n    \"mcpServers\": {\n        ENTRY(8)\n    }\n}",
		},
		"numbers": {
			"hi-godot/godot-ai#528", "cursor",
			"{\n  \"port\": 8080,\n  \"big\": 9007199254740993,\n  \"f\": 1.0,\n  \"mcpServers\": {}\n}\n",
			"{\n  \"port\": 8080,\n  \"big\": 9007199254740993,\n  \"f\": 1.0,\n  \"mcpServers\": {\n    ENTRY(4)\n  }\n}\n",
		},
		"settings of a whole editor": {
			"mcp-router/mcp-router#61", "zed",
			"// Zed settings\n{\n  \"theme\": \"One Dark\", // dark\n  \"lsp\": {\"go\": {}},\n}\n",
			"// Zed settings\n{\n  \"theme\": \"One Dark\", // dark\n  \"lsp\": {\"go\": {}},\n  \"context_servers\": {\n    ENTRY(4)\n  },\n}\n",
		},
		"line endings": {
			"none; the same kind", "cursor",
			"{\r\n\t\"mcpServers\": {}\r\n}\r\n", "{\r\n\t\"mcpServers\": {\r\n\t\tENTRY(tab)\r\n\t}\r\n}\r\n",
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := newMachine(t)
			tg := target(t, tt.target)
			path := m.path(tg, tg.DefaultScope)
			m.write(path, tt.in, 0o600)
			server := stdioServer()
			server.Secret.Value = ""
			m.install(tg, server, nil)
			if got, want := m.read(path), fillEntry(tt.target, tt.want); got != want {
				t.Fatalf("%s\ngot:\n%s\nwant:\n%s", tt.report, got, want)
			}
			m.uninstall(tg, nil)
			if got := m.read(path); strings.Contains(got, "agent-sandbox") || squeezed(got) != squeezed(cleaned(tt.target, tt.in)) {
				t.Errorf("%s\nuninstall gave:\n%s\nfrom:\n%s", tt.report, got, tt.in)
			}
		})
	}
}

// fillEntry writes our member for ENTRY(indent) as each client spells it.
func fillEntry(id, want string) string {
	nl := "\n"
	if strings.Contains(want, "\r\n") {
		nl = "\r\n"
	}
	lines := []string{`"command": "/opt/abx/bin/abx"`, `"args": ["mcp", "start"]`}
	switch id {
	case "vscode":
		lines = append([]string{`"type": "stdio"`}, lines...)
	case "opencode":
		lines = []string{`"type": "local"`, `"command": ["/opt/abx/bin/abx", "mcp", "start"]`}
	}
	for _, style := range []struct{ mark, indent, unit string }{
		{"1", " ", " "}, {"2", "  ", " "}, {"4", "    ", "  "}, {"8", "        ", "    "}, {"tab", "\t\t", "\t"},
	} {
		entry := `"agent-sandbox": {` + nl + style.indent + style.unit +
			strings.Join(lines, ","+nl+style.indent+style.unit) + nl + style.indent + "}"
		want = strings.ReplaceAll(want, "ENTRY("+style.mark+")", entry)
	}
	inline := `"agent-sandbox":{"command":"/opt/abx/bin/abx","args":["mcp","start"]}`
	return strings.ReplaceAll(want, "ENTRY(inline)", inline)
}

// cleaned is the input as an uninstall may leave it: without a byte order mark,
// with the section that the installation had to make.
func cleaned(id, in string) string {
	in = strings.TrimPrefix(in, "\xef\xbb\xbf")
	switch {
	case strings.TrimSpace(in) == "":
		return `{"mcpServers":{}}`
	case id == "zed":
		return strings.Replace(in, "{\"go\": {}},\n", "{\"go\": {}},\"context_servers\":{},\n", 1)
	}
	return strings.ReplaceAll(in, "null", "{}")
}

func squeezed(s string) string {
	return strings.NewReplacer(" ", "", "\t", "", "\r", "", "\n", "").Replace(s)
}

// Files that must be refused and stay byte-identical, with their place named.
func TestReportedFilesAreRefused(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		report, target, in, place string
	}{
		"cut off":            {"DefangLabs/defang#1391", "cursor", `{"mcpServers":{`, "line 1, column 16"},
		"malformed":          {"lacs-project/sysknife#243", "cursor", "{\n  \"a\": tru\n}", "line 2, column 8"},
		"text after the end": {"microsoft/DebugMCP#114", "cursor", "{}\nx", "line 2, column 1"},
		"comment for a strict parser": {
			"vshulcz/deja-vu#1663", "claude", "{\n  // mine\n  \"mcpServers\": {}\n}", "line 2, column 3",
		},
		"list":                {"Neko-Catpital-Labs/Invoker#2602", "cursor", `{"mcpServers": []}`, "line 1"},
		"string":              {"ersatzben/maxmsp-mcp#3", "cursor", `{"mcpServers": "x"}`, "line 1"},
		"document is a list":  {"", "cursor", "[]", "line 1"},
		"key twice":           {"", "cursor", "{\"mcpServers\": {},\n\"mcpServers\": {}}", "line 2"},
		"entry twice":         {"", "cursor", `{"mcpServers": {"agent-sandbox": {}, "agent-sandbox": {}}}`, "line 1"},
		"single quotes":       {"", "cursor", "{'a': 1}", "line 1, column 2"},
		"hash comment":        {"", "vscode", "# x\n{}", "line 1, column 1"},
		"only a comment":      {"", "vscode", "// x\n", ""},
		"broken TOML":         {"", "codex", "a = 1\nb =\n", "line 2"},
		"TOML list of tables": {"", "codex", "[[mcp_servers]]\n", ""},
		"deep nesting":        {"", "cursor", strings.Repeat("[", 100_000), "line 1, column 10001"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := newMachine(t)
			tg := target(t, tt.target)
			path := m.path(tg, tg.DefaultScope)
			m.write(path, tt.in, 0o644)
			_, err := ideinstall.PlanInstall(m.Env, tg, stdioServer(), nil)
			var refused *ideinstall.RefusedError
			if !errors.As(err, &refused) || refused.Path != path {
				t.Fatalf("error %v, want a RefusedError for %s", err, path)
			}
			if msg := err.Error(); !strings.Contains(msg, tt.place) || !strings.HasSuffix(msg, "file left untouched") {
				t.Errorf("message %q does not name %q", msg, tt.place)
			}
			if got := m.read(path); got != tt.in {
				t.Errorf("the file changed to %q", got)
			}
			if got := m.mode(path); got != 0o644 {
				t.Errorf("the mode changed to %o", got)
			}
		})
	}
}

// vshulcz/deja-vu#2755: of several files none is written when one is refused.
func TestOneBadFileKeepsTheOtherUnwritten(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	tg := target(t, "cline")
	good := m.Home + "/.config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json"
	bad := m.Home + "/.cline/data/settings/cline_mcp_settings.json"
	m.write(good, "{}", 0o600)
	m.write(bad, "{", 0o600)
	if _, err := ideinstall.PlanInstall(m.Env, tg, stdioServer(), nil); err == nil {
		t.Fatal("the bad file was accepted")
	}
	if got := m.read(good); got != "{}" {
		t.Errorf("the good file became %q", got)
	}
	m.write(bad, "{}", 0o600)
	plan := m.install(tg, stdioServer(), nil)
	if len(plan.Changes) != 2 || !strings.Contains(m.read(good), "agent-sandbox") || !strings.Contains(m.read(bad), "agent-sandbox") {
		t.Errorf("%d files were changed", len(plan.Changes))
	}
}

// A secret that stands in a broken file must not get into the message.
func TestErrorsNeverQuoteTheFile(t *testing.T) {
	t.Parallel()
	for _, in := range []string{`{"env": {"KEY": "sk-live\q"}}`, `{"KEY": sk-live}`, `{"a": 1 sk-live`, "\"sk-live"} {
		m := newMachine(t)
		tg := target(t, "cursor")
		m.write(m.path(tg, "user"), in, 0o600)
		_, err := ideinstall.PlanInstall(m.Env, tg, stdioServer(), nil)
		if err == nil || strings.Contains(err.Error(), "sk-live") {
			t.Errorf("%s: error %v", in, err)
		}
	}
}

// Apply must refuse what it can no longer parse, and leave it.
func TestFileBrokenAfterThePlan(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	tg := target(t, "cursor")
	path := m.path(tg, "user")
	plan, err := ideinstall.PlanInstall(m.Env, tg, stdioServer(), nil)
	if err != nil {
		t.Fatal(err)
	}
	m.write(path, "{ half", 0o600)
	var refused *ideinstall.RefusedError
	if err := plan.Apply(context.Background()); !errors.As(err, &refused) {
		t.Errorf("error %v", err)
	}
	if got := m.read(path); got != "{ half" {
		t.Errorf("the file became %q", got)
	}
}
