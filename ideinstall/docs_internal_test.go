package ideinstall

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"testing"
)

// The tables of the documentation are made from the table of clients, so that
// none can be forgotten. -update writes them.
func TestDocumentationNamesEveryClient(t *testing.T) {
	t.Parallel()
	for path, table := range map[string]string{
		"README.md":          readmeTable(),
		"../docs/clients.md": filesTable(),
	} {
		text, err := os.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) && strings.HasPrefix(path, "../") {
			continue // the module stands alone, without the repository around it
		}
		if err != nil {
			t.Fatal(err)
		}
		want, err := replaceBetween(string(text), table)
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		if want == string(text) {
			continue
		}
		if f := flag.Lookup("update"); f != nil && f.Value.String() == "true" {
			if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		t.Errorf("%s is not up to date with the table of clients: run `go test -run Documentation -update .`", path)
	}
}

const beginMark, endMark = "<!-- clients: made by docs_internal_test.go -->\n", "<!-- /clients -->\n"

func replaceBetween(text, table string) (string, error) {
	head, rest, ok := strings.Cut(text, beginMark)
	_, tail, ok2 := strings.Cut(rest, endMark)
	if !ok || !ok2 {
		return "", fmt.Errorf("no %q … %q", beginMark, endMark)
	}
	return head + beginMark + table + endMark + tail, nil
}

// readmeTable is one line a client.
func readmeTable() string {
	var b strings.Builder
	b.WriteString("| `--target` | client | scopes (default first) | remote | key by itself: user, project |\n|---|---|---|---|---|\n")
	for _, t := range targets {
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s |\n", t.ID, t.Name+betaMark(t), scopesText(t), remoteText(t), secretText(t))
	}
	return b.String()
}

func betaMark(t *Target) string {
	if t.Beta {
		return " (beta)"
	}
	return ""
}

func scopesText(t *Target) string {
	out := []string{string(t.DefaultScope)}
	for _, s := range t.Scopes() {
		if s != t.DefaultScope {
			out = append(out, string(s))
		}
	}
	return strings.Join(out, ", ")
}

func remoteText(t *Target) string {
	if t.http == nil {
		return "no"
	}
	return "`" + t.http.url + "`"
}

func secretText(t *Target) string {
	var out []string
	for _, s := range []struct {
		scope Scope
		mode  SecretMode
	}{{ScopeUser, t.secrets.user}, {ScopeProject, t.secrets.project}} {
		text := "–"
		if _, ok := t.files[s.scope]; ok {
			text = string(cmp.Or(s.mode, SecretNone))
		}
		out = append(out, text)
	}
	return strings.Join(out, ", ")
}

// filesTable has every place on every system.
func filesTable() string {
	var b strings.Builder
	b.WriteString("| `--target` | scope | Linux | macOS | Windows | servers stand under |\n|---|---|---|---|---|---|\n")
	for _, t := range targets {
		for _, scope := range t.Scopes() {
			fmt.Fprintf(&b, "| `%s` | %s |", t.ID, scope)
			for _, goos := range []string{"linux", "darwin", "windows"} {
				b.WriteString(" " + placesText(t, scope, goos) + " |")
			}
			fmt.Fprintf(&b, " `%s` |\n", strings.Join(t.keyPath, "` . `"))
		}
	}
	return b.String()
}

// placesText lists the candidates with variables and patterns as written.
func placesText(t *Target, scope Scope, goos string) string {
	env := &Env{GOOS: goos, Home: "~", Project: ".", Getenv: func(string) string { return "" }}
	var out []string
	for _, c := range t.files[scope].candidates {
		if c.only != "" && !strings.Contains(","+c.only+",", ","+goos+",") {
			continue
		}
		out = append(out, "`"+env.join(rootName(env, c), c.segments...)+"`")
	}
	return strings.Join(out, "<br>")
}

func rootName(env *Env, c pathTemplate) string {
	switch {
	case c.root == variable:
		return "$" + c.env
	case c.root == localAppData:
		return "%LOCALAPPDATA%"
	case c.root == config && env.GOOS == "windows":
		return "%APPDATA%"
	}
	return env.rootPath(c)
}
