package ideinstall_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/agentsandbox/agent-sandbox/ideinstall"
)

// A re-install updates what is ours, in place, and nothing else of the entry.
func TestReinstallKeepsForeignMembers(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	tg := target(t, "cursor")
	path := m.path(tg, "user")
	const in = `{
  "mcpServers": {
    "agent-sandbox": {
      // pinned by hand
      "args": [
        "mcp",
        "start"
      ],
      "disabled": true, // for now
      "command": "/old/abx",
      "env": {"MINE": "1", "ABX_SANDBOX_API_KEY": "e2b_old"},
      "autoApprove": ["list_files"]
    }
  }
}
`
	m.write(path, in, 0o600)
	m.install(tg, stdioServer(), nil)
	want := strings.NewReplacer("/old/abx", "/opt/abx/bin/abx", "e2b_old", testKey).Replace(in)
	if got := m.read(path); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

func TestKeyStaysUnlessNoneIsAskedFor(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	tg := target(t, "cursor")
	m.install(tg, stdioServer(), nil)
	path := m.path(tg, "user")
	unknown := stdioServer()
	unknown.Secret.Value = ""
	if plan := m.install(tg, unknown, nil); plan.Changed() || !strings.Contains(m.read(path), testKey) {
		t.Errorf("the key went away:\n%s", m.read(path))
	}
	m.install(tg, stdioServer(), &ideinstall.Options{Secret: ideinstall.SecretNone})
	if got := m.read(path); strings.Contains(got, "env") {
		t.Errorf("an environment is left:\n%s", got)
	}
}

// From one transport to the other only that one's fields are left: some clients
// refuse to load both.
func TestChangeOfTransport(t *testing.T) {
	t.Parallel()
	for _, tg := range ideinstall.Targets() {
		if !tg.Remote() {
			continue
		}
		t.Run(tg.ID, func(t *testing.T) {
			t.Parallel()
			m := newMachine(t)
			m.prepare(tg)
			fresh := map[ideinstall.Transport]string{}
			for _, s := range []*ideinstall.Server{stdioServer(), httpServer()} {
				path := m.install(tg, s, nil).Changes[0].Path
				fresh[s.Transport] = squeezed(m.read(path))
				m.uninstall(tg, nil)
			}
			for _, s := range []*ideinstall.Server{stdioServer(), httpServer(), stdioServer(), httpServer()} {
				path := m.install(tg, s, nil).Changes[0].Path
				if got, want := sorted(squeezed(m.read(path))), sorted(fresh[s.Transport]); got != want {
					t.Fatalf("%s: got %s\nwant the members of %s", s.Transport, m.read(path), fresh[s.Transport])
				}
			}
		})
	}
}

// sorted makes documents with the same members in another order equal.
func sorted(s string) string {
	counts := map[rune]int{}
	for _, r := range s {
		if r != ',' {
			counts[r]++
		}
	}
	var b strings.Builder
	for r := rune(0); r < 128; r++ {
		b.WriteString(strings.Repeat(string(r), counts[r]))
	}
	return b.String()
}

// itsmostafa/typesafe-mcp#14: an entry of another program under our name.
func TestForeignEntry(t *testing.T) {
	t.Parallel()
	const in = `{"mcpServers": {"agent-sandbox": {"command": "npx", "args": ["-y", "other"]}}}`
	m := newMachine(t)
	tg := target(t, "cursor")
	path := m.path(tg, "user")
	m.write(path, in, 0o600)
	var foreign *ideinstall.NotOursError
	if _, err := ideinstall.PlanInstall(m.Env, tg, stdioServer(), nil); !errors.As(err, &foreign) {
		t.Errorf("install: %v", err)
	}
	if _, err := ideinstall.PlanUninstall(m.Env, tg, "agent-sandbox", nil); !errors.As(err, &foreign) {
		t.Errorf("uninstall: %v", err)
	}
	if got := m.read(path); got != in {
		t.Errorf("the file became %s", got)
	}
	m.install(tg, stdioServer(), &ideinstall.Options{Force: true})
	if got := m.read(path); strings.Contains(got, "npx") || !strings.Contains(got, "/opt/abx/bin/abx") {
		t.Errorf("forced: %s", got)
	}
}

// DeusData/codebase-memory-mcp#1640: what a client added does not make an entry
// foreign; neither do older ways of starting the same server.
func TestOwnEntriesAreRecognised(t *testing.T) {
	t.Parallel()
	for _, entry := range []string{
		`{"command": "/usr/bin/abx", "args": ["mcp", "start"], "enabled": true}`,
		`{"command": "C:\\Program Files\\abx\\ABX.EXE", "args": []}`,
		`{"command": "node", "args": ["/x/abx.js", "mcp", "start"]}`,
		`{"url": "https://old.example/mcp"}`,
		`{}`,
	} {
		m := newMachine(t)
		tg := target(t, "cursor")
		path := m.path(tg, "user")
		m.write(path, `{"mcpServers": {"agent-sandbox": `+entry+`}}`, 0o600)
		m.uninstall(tg, nil)
		if got := m.read(path); got != `{"mcpServers": {}}` {
			t.Errorf("%s: left %s", entry, got)
		}
	}
}

// vshulcz/deja-vu#2269: the same server under another name is told, not touched.
func TestSameServerUnderAnotherName(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	tg := target(t, "cursor")
	m.write(m.path(tg, "user"), `{"mcpServers": {"sandbox": {"command": "abx", "args": ["mcp", "start"]}}}`, 0o600)
	plan := m.install(tg, stdioServer(), nil)
	if notes := strings.Join(plan.Notes, "\n"); !strings.Contains(notes, `"sandbox"`) {
		t.Errorf("notes: %s", notes)
	}
	if got := m.read(m.path(tg, "user")); !strings.Contains(got, `"sandbox": {"command": "abx"`) {
		t.Errorf("file: %s", got)
	}
}

// VS Code's questions: ours is added once, others stay, and ours goes with the
// last entry that refers to it.
func TestInputs(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	tg := target(t, "vscode")
	path := m.path(tg, "project")
	const in = "{\n  \"inputs\": [\n    {\"id\": \"other\"} // theirs\n  ],\n  \"servers\": {}\n}\n"
	m.write(path, in, 0o644)
	opts := &ideinstall.Options{Secret: ideinstall.SecretInput}
	m.install(tg, stdioServer(), opts)
	second := stdioServer()
	second.Name = "second"
	m.install(tg, second, opts)
	if got := m.read(path); strings.Count(got, "promptString") != 1 || !strings.Contains(got, "// theirs") {
		t.Fatalf("after two installs:\n%s", got)
	}
	m.uninstall(tg, nil)
	if got := m.read(path); !strings.Contains(got, "promptString") {
		t.Errorf("the question went while the second entry uses it:\n%s", got)
	}
	plan, err := ideinstall.PlanUninstall(m.Env, tg, "second", nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := plan.Apply(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := m.read(path); got != in {
		t.Errorf("got:\n%s\nwant:\n%s", got, in)
	}
}

func TestOpencodeVersion2(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	tg := target(t, "opencode")
	path := m.path(tg, "user")
	m.write(path, `{"mcp": {"servers": {"a": {"type": "local"}}}}`, 0o600)
	m.install(tg, stdioServer(), &ideinstall.Options{Secret: ideinstall.SecretNone})
	want := `{"mcp": {"servers": {"a": {"type": "local"}, "agent-sandbox": {"type": "local", "command": ["/opt/abx/bin/abx", "mcp", "start"]}}}}`
	if got := m.read(path); got != want {
		t.Errorf("got %s", got)
	}
}

// The name "servers" may also be a server of version 1.
func TestOpencodeServerCalledServers(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	tg := target(t, "opencode")
	path := m.path(tg, "user")
	m.write(path, `{"mcp": {"servers": {"type": "local", "command": ["x"]}}}`, 0o600)
	m.install(tg, stdioServer(), nil)
	if got := m.read(path); !strings.Contains(got, `"command": ["x"]}, "agent-sandbox"`) {
		t.Errorf("got %s", got)
	}
}

// An own file goes with its entry, unless something else was added to it.
func TestOwnFile(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	tg := target(t, "continue")
	path := m.install(tg, stdioServer(), nil).Changes[0].Path
	m.uninstall(tg, nil)
	if m.Exists(path) {
		t.Errorf("the file is left:\n%s", m.read(path))
	}
	m.install(tg, stdioServer(), nil)
	m.write(path, strings.Replace(m.read(path), "{", "{\n  \"name\": \"mine\",", 1), 0o644)
	m.uninstall(tg, nil)
	if got := m.read(path); !strings.Contains(got, `"name": "mine"`) {
		t.Errorf("got:\n%s", got)
	}
}

func TestNames(t *testing.T) {
	t.Parallel()
	for name, ok := range map[string]bool{
		"agent-sandbox": true, "a.b_C-1": true, "": false, "__proto__": false, "a b": false, "ä": false,
		strings.Repeat("x", 64): true, strings.Repeat("x", 65): false, "a\"b": false,
	} {
		s := stdioServer()
		s.Name = name
		if err := s.Validate(); (err == nil) != ok {
			t.Errorf("%q: %v", name, err)
		}
	}
	for _, url := range []string{"", "example.com/mcp", "ftp://x", "https://", "https://u:p@x/mcp"} {
		s := httpServer()
		s.URL = url
		if err := s.Validate(); err == nil || strings.Contains(err.Error(), "u:p") {
			t.Errorf("%q: %v", url, err)
		}
	}
}

// Codex lists the variables that it hands on; those of others stay.
func TestOtherVariablesOfCodexStay(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	tg := target(t, "codex")
	path := m.path(tg, "user")
	m.write(path, "[mcp_servers.agent-sandbox]\ncommand = \"abx\"\nargs = [\"mcp\", \"start\"]\nenv_vars = [\"HTTPS_PROXY\"]\n", 0o600)
	m.install(tg, stdioServer(), nil)
	if got := m.read(path); !strings.Contains(got, `env_vars = ["HTTPS_PROXY", "ABX_SANDBOX_API_KEY"]`) {
		t.Errorf("got:\n%s", got)
	}
	m.install(tg, stdioServer(), &ideinstall.Options{Secret: ideinstall.SecretLiteral})
	if got := m.read(path); !strings.Contains(got, "HTTPS_PROXY") || !strings.Contains(got, testKey) {
		t.Errorf("got:\n%s", got)
	}
}

// Trae splits its command at spaces.
func TestSpaceInTheCommandForTrae(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	tg := target(t, "trae")
	m.prepare(tg)
	s := stdioServer()
	s.Command = "/Applications/My Tools/abx"
	var invalid *ideinstall.InvalidError
	if _, err := ideinstall.PlanInstall(m.Env, tg, s, nil); !errors.As(err, &invalid) {
		t.Errorf("error %v", err)
	}
	m.install(target(t, "cursor"), s, nil)
}

// Backslashes of Windows paths are escaped in JSON and in TOML.
func TestWindowsPathInTheCommand(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	s := stdioServer()
	s.Command = `C:\Program Files\abx\abx.exe`
	for _, id := range []string{"cursor", "codex"} {
		path := m.install(target(t, id), s, nil).Changes[0].Path
		if got := m.read(path); !strings.Contains(got, `"C:\\Program Files\\abx\\abx.exe"`) {
			t.Errorf("%s: %s", id, got)
		}
	}
}
