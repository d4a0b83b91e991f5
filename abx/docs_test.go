package main_test

import (
	"context"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agentsandbox/agent-sandbox/sandboxd"
)

// notRun are the lines of the pages that a test cannot run, and why.
var notRun = map[string]*regexp.Regexp{
	"a server that stays":         regexp.MustCompile(`abx mcp start|abx local serve --listen`),
	"another host":                regexp.MustCompile(`mcp call --url https://example\.com|go get `),
	"an account of Alibaba Cloud": regexp.MustCompile(`abx mcp (un)?deploy`),
	"the tests themselves":        regexp.MustCompile(`^make `),
	"a Docker engine":             regexp.MustCompile(`--isolation docker`),
}

// TestDocumentedCommandsRun runs the shell blocks of the pages, in order and as
// they stand, against a backend on this machine.
func TestDocumentedCommandsRun(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat("../docs"); err != nil {
		t.Skip("the repository's docs are not part of the module")
	}
	if _, err := exec.LookPath("sh"); err != nil || !sandboxWorks() {
		t.Skip("needs a shell, and sandboxes on this machine")
	}
	backend := documentedBackend(t)
	for _, page := range []string{
		"README.md", "docs/mcp-integration.md", "docs/ide.md", "docs/operate.md",
		"docs/testing-with-sandboxd.md", "docs/troubleshooting.md",
	} {
		t.Run(page, func(t *testing.T) {
			t.Parallel()
			runPage(t, page, backend)
		})
	}
}

// documentedBackend is what a reader has configured before reading on.
func documentedBackend(t *testing.T) []string {
	t.Helper()
	server, err := sandboxd.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	t.Cleanup(func() {
		_ = server.Close()
		<-served
	})
	url := "http://" + listener.Addr().String()
	return []string{"ABX_SANDBOX_API_KEY=" + server.APIKey(), "ABX_SANDBOX_BASE_URL=" + url, "ABX_SANDBOX_URL=" + url, "KEY=" + server.APIKey()}
}

func runPage(t *testing.T, page string, backend []string) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", page))
	if err != nil {
		t.Fatal(err)
	}
	home := readersHome(t)
	env := slices.Concat(backend, []string{"HOME=" + home, "XDG_CONFIG_HOME=" + home + "/.config", "XDG_STATE_HOME=" + home + "/.local/state",
		"PATH=" + home + "/bin:" + os.Getenv("PATH")})
	blocks := regexp.MustCompile("(?ms)^```sh\n(.*?)^```").FindAllStringSubmatch(string(data), -1)
	if len(blocks) == 0 {
		t.Errorf("%s has no sh block", page)
	}
	for _, block := range blocks {
		script := runnable(block[1])
		if out, err := runBlock(t, home, script, env); err != nil {
			t.Errorf("%s: %v\n%s\n%s", page, err, script, out)
		}
	}
}

// readersHome has abx in its PATH, and a go that builds nothing: what `go run
// ./abx` runs is this test binary.
func readersHome(t *testing.T) string {
	t.Helper()
	home := t.TempDir()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{"bin", "src/app", ".cursor"} {
		if err := os.MkdirAll(filepath.Join(home, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(self, filepath.Join(home, "bin/abx")); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"bin/go":    "#!/bin/sh\n[ \"$1 $2\" != 'run ./abx' ] || { shift 2; exec abx \"$@\"; }\n",
		"script.py": "print('from a file')\n",
	} {
		if err := os.WriteFile(filepath.Join(home, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return home
}

func runnable(block string) string {
	var kept strings.Builder
	for line := range strings.Lines(block) {
		left := false
		for _, pattern := range notRun {
			left = left || pattern.MatchString(line)
		}
		if !left {
			kept.WriteString(line)
		}
	}
	return kept.String()
}

// runBlock ends what the block left in the background.
func runBlock(t *testing.T, dir, script string, env []string) (string, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "sh", "-e", "-c", script+"\njobs -p >jobs\nwhile read -r pid; do kill \"$pid\"; done <jobs\nwait\n")
	cmd.Dir, cmd.Env, cmd.WaitDelay = dir, env, 5*time.Second
	out, err := cmd.CombinedOutput()
	return string(out), err
}
