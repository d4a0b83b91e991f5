package sandboxclient_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// allowed are the modules outside the standard library that importing this
// package may bring into a build. Another one needs a reason in the commit
// that adds it: whoever wants sandboxes alone gets nothing else.
var allowed = []string{
	"connectrpc.com/connect",     // the RPC protocol of envd
	"google.golang.org/protobuf", // its messages
	"github.com/agentsandbox/agent-sandbox/sandboxclient",
}

func TestDependencies(t *testing.T) {
	t.Parallel()
	out, err := exec.CommandContext(t.Context(), "go", "list", "-deps", "-f", "{{with .Module}}{{.Path}}{{end}}", "./...").Output()
	if err != nil {
		t.Fatal(err)
	}
	modules := strings.Fields(string(out))
	slices.Sort(modules)
	for _, module := range slices.Compact(modules) {
		if !slices.Contains(allowed, module) {
			t.Errorf("%s came into the build", module)
		}
	}
}

// Packages of the standard library that would be a mistake here.
var banned = map[string]string{
	"testing": "test code in a shipped package",
	"flag":    "a library takes no command line",
	"log":     "a library logs to the slog.Logger that it is given",
}

func TestDirectImports(t *testing.T) {
	t.Parallel()
	out, err := exec.CommandContext(t.Context(), "go", "list", "-f", `{{join .Imports "\n"}}`, ".", "./api").Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range strings.Fields(string(out)) {
		if why, ok := banned[path]; ok {
			t.Errorf("imports %s: %s", path, why)
		}
	}
}
