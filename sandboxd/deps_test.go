package sandboxd_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const ours = "github.com/agentsandbox/agent-sandbox/"

// The program is what runs in every sandbox, two or three times: of the
// client it carries the wire contract and nothing else, and of other people's
// modules only these.
func TestDependenciesOfTheProgram(t *testing.T) {
	t.Parallel()
	out, err := exec.Command("go", "list", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}} {{with .Module}}{{.Path}}{{end}}{{end}}", "./cmd/sandboxd").Output()
	if err != nil {
		t.Fatal(err)
	}
	contract := []string{"sandboxclient/api", "sandboxclient/envd/"}
	modules := []string{
		"connectrpc.com/connect", "github.com/creack/pty", "github.com/elastic/go-seccomp-bpf", "github.com/evanw/esbuild",
		"github.com/fsnotify/fsnotify", "golang.org/x/net", "golang.org/x/sys", "google.golang.org/protobuf",
	}
	for line := range strings.Lines(string(out)) {
		path, module, ok := strings.Cut(strings.TrimSpace(line), " ")
		if !ok {
			continue
		}
		rest, isOurs := strings.CutPrefix(path, ours)
		switch {
		case isOurs && strings.HasPrefix(rest, "sandboxd"):
		case isOurs:
			if !slices.ContainsFunc(contract, func(p string) bool { return strings.HasPrefix(rest, p) }) {
				t.Errorf("the program needs %s", path)
			}
		case !slices.Contains(modules, module):
			t.Errorf("the program needs %s of %s", path, module)
		}
	}
}
