package tomldoc_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/agentsandbox/agent-sandbox/ideinstall/internal/conf"
	"github.com/agentsandbox/agent-sandbox/ideinstall/internal/tomldoc"
)

var (
	entryPath = []string{"mcp_servers", "agent-sandbox"}
	entry     = conf.Object{
		{Key: "command", Value: `C:\abx\abx.exe`},
		{Key: "args", Value: []string{"mcp", "start"}},
		{Key: "env_vars", Value: []string{"ABX_SANDBOX_API_KEY"}},
	}
)

const added = `[mcp_servers.agent-sandbox]
command = "C:\\abx\\abx.exe"
args = ["mcp", "start"]
env_vars = ["ABX_SANDBOX_API_KEY"]
`

func apply(src string, ops ...conf.Op) (string, error) {
	r, err := conf.Apply(tomldoc.Format{}, []byte(src), ops)
	if err != nil {
		return "", err
	}
	return string(r.Bytes), nil
}

func set(path []string, v any) conf.Op { return conf.Op{Path: path, Value: v} }

func TestEntryIsAppendedAsTable(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ src, want string }{
		"empty":            {"", added},
		"no final newline": {"model = \"o3\"", "model = \"o3\"\n\n" + added},
		"comments and odd numbers": {
			"# mine\nbig = 0x1F # hex\ns = '''\n[mcp_servers.agent-sandbox]\n'''\n",
			"# mine\nbig = 0x1F # hex\ns = '''\n[mcp_servers.agent-sandbox]\n'''\n\n" + added,
		},
		"after another server": {"[mcp_servers.a]\ncommand = 'x'\n", "[mcp_servers.a]\ncommand = 'x'\n\n" + added},
		"after a dotted key":   {"mcp_servers.alpha.command = \"x\"\n", "mcp_servers.alpha.command = \"x\"\n\n" + added},
		"after an inline entry": {
			"[mcp_servers]\nalpha = {command = \"x\"}\n",
			"[mcp_servers]\nalpha = {command = \"x\"}\n\n" + added,
		},
		"crlf": {"a = 1\r\n", "a = 1\r\n\r\n" + strings.ReplaceAll(added, "\n", "\r\n")},
		"bom":  {"\xef\xbb\xbfa = 1\n", "a = 1\n\n" + added},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := apply(tt.src, set(entryPath, entry))
			if err != nil || got != tt.want {
				t.Fatalf("%v\ngot:\n%s\nwant:\n%s", err, got, tt.want)
			}
			back, err := apply(got, conf.Op{Path: entryPath})
			if want := strings.TrimPrefix(tt.src, "\xef\xbb\xbf"); err != nil || strings.TrimRight(back, "\r\n") != strings.TrimRight(want, "\r\n") {
				t.Errorf("%v\nremoval gave:\n%q\nwant:\n%q", err, back, want)
			}
		})
	}
}

func TestMembersAreUpdatedInPlace(t *testing.T) {
	t.Parallel()
	const src = `# head
[mcp_servers.agent-sandbox]
command = "/old/abx" # where
enabled = true
  args = [
    "mcp", # the group
    "start",
  ]

[mcp_servers.agent-sandbox.env]
A = "1"

[other]
x = 1
`
	got, err := apply(src,
		set(append(entryPath, "command"), "/new/abx"),
		set(append(entryPath, "args"), []string{"mcp", "start"}),
		set(append(entryPath, "env_vars"), []string{"K"}),
		set(append(entryPath, "env", "B"), "2"),
	)
	want := strings.NewReplacer(`"/old/abx"`, `"/new/abx"`, "  ]\n", "  ]\n  env_vars = [\"K\"]\n", "A = \"1\"\n", "A = \"1\"\nB = \"2\"\n").Replace(src)
	if err != nil || got != want {
		t.Errorf("%v\ngot:\n%s\nwant:\n%s", err, got, want)
	}
	gone, err := apply(src, conf.Op{Path: entryPath})
	if err != nil || gone != "# head\n\n[other]\nx = 1\n" {
		t.Errorf("%v\nremoval gave:\n%q", err, gone)
	}
}

func TestInlineEnvironment(t *testing.T) {
	t.Parallel()
	const src = "[mcp_servers.agent-sandbox]\nenv = {A=\"1\", \"b.c\" = 'x'} # e\n"
	got, err := apply(src, set(append(entryPath, "env", "K"), "v"))
	if want := "[mcp_servers.agent-sandbox]\nenv = { A = \"1\", \"b.c\" = \"x\", K = \"v\" } # e\n"; err != nil || got != want {
		t.Errorf("%v\ngot  %q\nwant %q", err, got, want)
	}
	back, err := apply(got, conf.Op{Path: append(entryPath, "env", "A")})
	if want := "[mcp_servers.agent-sandbox]\nenv = { K = \"v\", \"b.c\" = \"x\" } # e\n"; err != nil || back != want {
		t.Errorf("%v\ngot  %q\nwant %q", err, back, want)
	}
}

func TestAmbiguousDocumentsAreRefused(t *testing.T) {
	t.Parallel()
	tests := map[string]string{
		"inline servers":  "mcp_servers = { a = { command = \"x\" } }\n",
		"empty inline":    "mcp_servers = {}\n",
		"array of tables": "[[mcp_servers]]\na = 1\n",
		"a string":        "mcp_servers = \"x\"\n",
		"spread":          "[mcp_servers.agent-sandbox]\ncommand = \"x\"\n[other]\n[mcp_servers.agent-sandbox.env]\nA = \"1\"\n",
	}
	for name, src := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			op := set(entryPath, entry)
			if name == "spread" {
				op = conf.Op{Path: entryPath}
			}
			var ambiguous *conf.AmbiguousError
			if got, err := apply(src, op); !errors.As(err, &ambiguous) {
				t.Errorf("error %v, document:\n%s", err, got)
			}
		})
	}
}

func TestSyntaxErrorHasThePlaceAndNoText(t *testing.T) {
	t.Parallel()
	_, err := apply("a = 1\ntoken = sk-secret\n", set(entryPath, entry))
	var syntax *conf.SyntaxError
	if !errors.As(err, &syntax) || syntax.Line != 2 {
		t.Fatalf("error %v", err)
	}
	if strings.Contains(err.Error(), "sk-") {
		t.Errorf("the error quotes the file: %v", err)
	}
}
