package ideinstall_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/agentsandbox/agent-sandbox/ideinstall"
)

// The clients that must be there, whatever else is.
var wanted = []string{
	"cursor", "claude", "vscode", "claude-code", "vscode-insiders", "windsurf", "gemini", "qwen", "qoder", "lingma",
	"codex", "zed", "opencode", "kiro", "cline", "trae", "copilot-cli", "amp", "lmstudio", "continue",
}

// A client is a row, a file of its name and a folder of golden files; none of
// them stands alone.
func TestTableIsComplete(t *testing.T) {
	t.Parallel()
	ids := ideinstall.IDs()
	for _, id := range wanted {
		if !slices.Contains(ids, id) {
			t.Errorf("%s is missing", id)
		}
	}
	for _, tg := range ideinstall.Targets() {
		file := "client_" + strings.ReplaceAll(tg.ID, "-", "_") + ".go"
		if _, err := os.Stat(file); err != nil {
			t.Errorf("%s: %v", tg.ID, err)
		}
		if tg.Name == "" || tg.After == "" || !slices.Contains(tg.Scopes(), tg.DefaultScope) {
			t.Errorf("%s: the row lacks a name, a last line or its default scope", tg.ID)
		}
		if !strings.HasSuffix(tg.After, ".") {
			t.Errorf("%s: %q is not a sentence", tg.ID, tg.After)
		}
	}
	onlyKnown(t, "client_*.go", len(ids))
	onlyKnown(t, "testdata/clients/*", len(ids))
}

func onlyKnown(t *testing.T, pattern string, want int) {
	t.Helper()
	names, err := filepath.Glob(pattern)
	if err != nil || len(names) != want {
		t.Errorf("%s: %d, but %d clients (%v)", pattern, len(names), want, err)
	}
}

// allowed are the modules that an importer of this one has to build, each with
// its reason.
var allowed = map[string]string{
	"github.com/tailscale/hujson":           "offsets of JSON with comments",
	"github.com/pelletier/go-toml/v2":       "validation and decoding of TOML",
	"github.com/aymanbagabas/go-udiff":      "diffs that tell a missing final newline",
	"github.com/agentsandbox/agent-sandbox": "this module",
}

func TestDependencies(t *testing.T) {
	t.Parallel()
	out, err := exec.Command("go", "list", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range strings.Fields(string(out)) {
		known := slices.ContainsFunc(keys(allowed), func(prefix string) bool {
			return path == prefix || strings.HasPrefix(path, prefix+"/")
		})
		if !known {
			t.Errorf("%s: a new dependency needs a reason here", path)
		}
	}
}

func keys(m map[string]string) []string {
	var out []string
	for k := range m {
		out = append(out, k)
	}
	return out
}
