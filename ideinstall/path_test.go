package ideinstall_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/agentsandbox/agent-sandbox/ideinstall"
)

// Variables that move a client's file are obeyed when they are absolute
// (DeusData/codebase-memory-mcp#320), and ignored when relative.
func TestVariablesThatMoveFiles(t *testing.T) {
	t.Parallel()
	tests := []struct{ target, goos, name, value, want string }{
		{"claude-code", "linux", "CLAUDE_CONFIG_DIR", "/etc/cc", "/etc/cc/.claude.json"},
		{"claude-code", "linux", "CLAUDE_CONFIG_DIR", "cc", "/home/u/.claude.json"},
		{"codex", "darwin", "CODEX_HOME", "/x/codex/", "/x/codex/config.toml"},
		{"copilot-cli", "linux", "COPILOT_HOME", "/x", "/x/mcp-config.json"},
		{"claude", "linux", "XDG_CONFIG_HOME", "/x/conf", "/x/conf/Claude/claude_desktop_config.json"},
		{"claude", "linux", "XDG_CONFIG_HOME", "conf", "/home/u/.config/Claude/claude_desktop_config.json"},
		{"claude", "darwin", "XDG_CONFIG_HOME", "/x", "/Users/u/Library/Application Support/Claude/claude_desktop_config.json"},
		{"claude", "windows", "APPDATA", `D:\Roam`, `D:\Roam\Claude\claude_desktop_config.json`},
		{"claude", "windows", "APPDATA", `Roam`, `C:\Users\u\AppData\Roaming\Claude\claude_desktop_config.json`},
		{"zed", "linux", "XDG_CONFIG_HOME", "/x", "/x/zed/settings.json"},
		{"zed", "darwin", "XDG_CONFIG_HOME", "/x", "/Users/u/.config/zed/settings.json"},
		{"cursor", "windows", "APPDATA", `D:\Roam`, `C:\Users\u\.cursor\mcp.json`},
		{"vscode", "windows", "APPDATA", `D:\Roam`, `D:\Roam\Code\User\mcp.json`},
	}
	for _, tt := range tests {
		env := fakeEnv(tt.goos)
		env.Getenv = func(name string) string {
			if name == tt.name {
				return tt.value
			}
			return ""
		}
		paths, err := target(t, tt.target).Paths(env, ideinstall.ScopeUser)
		if err != nil || !slices.Equal(paths, []string{tt.want}) {
			t.Errorf("%s on %s with %s=%s: %v %v, want %s", tt.target, tt.goos, tt.name, tt.value, paths, err, tt.want)
		}
	}
}

// anthropics/claude-code#25579: a packaged Claude reads a private copy of the
// configuration directory.
func TestPackagedClaudeOnWindows(t *testing.T) {
	t.Parallel()
	const (
		plain = `C:\Users\u\AppData\Roaming\Claude\claude_desktop_config.json`
		tail  = `\LocalCache\Roaming\Claude\claude_desktop_config.json`
		root  = `C:\Users\u\AppData\Local\Packages\`
		one   = root + `Claude_pzs8sxrjxfjjc`
		two   = root + `Claude_other`
	)
	tests := map[string]struct {
		packages, files, want []string
	}{
		"not packaged":                     {nil, nil, []string{plain}},
		"packaged, no file yet":            {[]string{one}, nil, []string{one + tail}},
		"packaged with a file":             {[]string{one}, []string{one + tail}, []string{one + tail}},
		"the plain file is kept in step":   {[]string{one}, []string{plain}, []string{one + tail, plain}},
		"two packages, one with a file":    {[]string{one, two}, []string{two + tail}, []string{two + tail}},
		"two packages, both with files":    {[]string{one, two}, []string{one + tail, two + tail}, []string{one + tail, two + tail}},
		"two packages, neither with files": {[]string{one, two}, nil, nil},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			env := fakeEnv("windows")
			env.Exists = func(path string) bool { return slices.Contains(tt.files, path) }
			env.Glob = func(pattern string) []string {
				if pattern != root+`Claude_*` {
					t.Errorf("pattern %s", pattern)
				}
				return tt.packages
			}
			paths, err := target(t, "claude").Paths(env, ideinstall.ScopeUser)
			var uncertain *ideinstall.UncertainPathError
			if !slices.Equal(paths, tt.want) || (tt.want == nil) != errors.As(err, &uncertain) {
				t.Errorf("%v (%v), want %v", paths, err, tt.want)
			}
		})
	}
}

// A client whose path no vendor documents is written only where one place is
// certain.
func TestUncertainPaths(t *testing.T) {
	t.Parallel()
	const one, two = "/home/u/.config/Qoder/SharedClientCache", "/home/u/.config/QoderCN/SharedClientCache"
	for _, tt := range []struct{ exists, want []string }{
		{nil, nil},
		{[]string{one}, []string{one + "/mcp.json"}},
		{[]string{one, two}, nil},
		{[]string{one, two, two + "/mcp.json"}, []string{two + "/mcp.json"}},
	} {
		env := fakeEnv("linux")
		env.Exists = func(path string) bool { return slices.Contains(tt.exists, path) }
		paths, err := target(t, "qoder").Paths(env, ideinstall.ScopeUser)
		if !slices.Equal(paths, tt.want) || (err == nil) != (tt.want != nil) {
			t.Errorf("%v: %v %v", tt.exists, paths, err)
		}
	}
}

func TestUnknownHome(t *testing.T) {
	t.Parallel()
	for _, goos := range []string{"linux", "darwin", "windows"} {
		env := fakeEnv(goos)
		env.Home = ""
		for _, tg := range ideinstall.Targets() {
			for _, scope := range tg.Scopes() {
				_, err := tg.Paths(env, scope)
				if scope == ideinstall.ScopeProject {
					if err != nil {
						t.Errorf("%s: %v", tg.ID, err)
					}
				} else if err == nil || (!strings.Contains(err.Error(), "HOME") && !tg.Beta) {
					t.Errorf("%s on %s: error %v", tg.ID, goos, err)
				}
			}
		}
	}
}

func TestUnsupportedScope(t *testing.T) {
	t.Parallel()
	_, err := target(t, "claude").Paths(fakeEnv("linux"), ideinstall.ScopeProject)
	var unsupported *ideinstall.UnsupportedError
	if !errors.As(err, &unsupported) {
		t.Errorf("error %v", err)
	}
}

func TestExistingVariantIsPreferred(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ target, exists string }{
		{"opencode", "/home/u/.config/opencode/opencode.jsonc"},
		{"amp", "/home/u/.config/amp/settings.jsonc"},
		{"lmstudio", "/home/u/.cache/lm-studio/mcp.json"},
	} {
		env := fakeEnv("linux")
		env.Exists = func(path string) bool { return path == tt.exists }
		paths, err := target(t, tt.target).Paths(env, ideinstall.ScopeUser)
		if err != nil || paths[0] != tt.exists {
			t.Errorf("%s: %v %v", tt.target, paths, err)
		}
	}
}

func TestDisplay(t *testing.T) {
	t.Parallel()
	env := fakeEnv("windows")
	for path, want := range map[string]string{
		`C:\Users\u\.cursor\mcp.json`: `~\.cursor\mcp.json`,
		`C:\work\p\.vscode\mcp.json`:  `.vscode\mcp.json`,
		`C:\Users\user2\x`:            `C:\Users\user2\x`,
		`D:\elsewhere\mcp.json`:       `D:\elsewhere\mcp.json`,
	} {
		if got := env.Display(path); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
}

// The closer of the two roots names the file, wherever one runs the command.
func TestDisplayInNestedRoots(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ home, project, path, want string }{
		{"/home/u", "/home/u/p", "/home/u/p/.vscode/mcp.json", ".vscode/mcp.json"},
		{"/home/u", "/home/u/p", "/home/u/.cursor/mcp.json", "~/.cursor/mcp.json"},
		{"/home/u", "/home", "/home/u/.cursor/mcp.json", "~/.cursor/mcp.json"},
		{"/home/u", "/home/u", "/home/u/.vscode/mcp.json", "~/.vscode/mcp.json"},
		{"", "/w", "/w/x", "x"},
	} {
		env := fakeEnv("linux")
		env.Home, env.Project = tt.home, tt.project
		if got := env.Display(tt.path); got != tt.want {
			t.Errorf("%s from %s: %s, want %s", tt.path, tt.project, got, tt.want)
		}
	}
}

func TestSelect(t *testing.T) {
	t.Parallel()
	env := fakeEnv("linux")
	env.LookPath = func(name string) string {
		if name == "codex" {
			return "/usr/bin/codex"
		}
		return ""
	}
	env.Exists = func(path string) bool { return path == "/home/u/.cursor" }
	for names, want := range map[string]string{
		"vscode,cursor,VSCODE": "vscode cursor",
		"claude-desktop":       "claude",
		"auto":                 "cursor codex",
		"zed, auto":            "zed cursor codex",
		"all":                  strings.Join(ideinstall.IDs(), " "),
	} {
		found, err := ideinstall.Select(env, []string{names})
		var ids []string
		for _, tg := range found {
			ids = append(ids, tg.ID)
		}
		if got := strings.Join(ids, " "); err != nil || got != want {
			t.Errorf("%s: %s (%v), want %s", names, got, err, want)
		}
	}
	var unknown *ideinstall.UnknownTargetError
	if _, err := ideinstall.Select(env, []string{"cursor", "emacs"}); !errors.As(err, &unknown) || unknown.Name != "emacs" {
		t.Errorf("error %v", err)
	}
}
