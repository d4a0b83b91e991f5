package interpreter_test

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/agentsandbox/agent-sandbox/sandboxd/agent/interpreter"
	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/replay"
)

// modules are what some captures need beyond the language itself.
var modules = map[string]string{"execute-matplotlib": "matplotlib.pyplot", "execute-pandas": "pandas"}

// TestReplay gives the interpreter every recorded request of the hosted one and
// wants its answers. Each deliberate difference is a row of docs/deviations.md
// under the heading named here.
func TestReplay(t *testing.T) {
	t.Parallel()
	captures, err := replay.Load("testdata/captures")
	if err != nil {
		t.Fatal(err)
	}
	if len(captures) != 59 {
		t.Errorf("%d captures, want all 59", len(captures))
	}
	deviations, err := replay.LoadDeviations("../../docs/deviations.md", "## code interpreter")
	if err != nil {
		t.Fatal(err)
	}
	config := recordedConfig(t, captures)
	common := newServer(t, config)
	judge := &judge{deviations: deviations}
	t.Run("all", func(t *testing.T) {
		for _, unit := range replay.Units(captures) {
			t.Run(unit.Name, func(t *testing.T) {
				// The others are not parallel: they share contexts.
				if unit.Name == "execute-keepalive" {
					t.Parallel()
					judge.play(t, newServer(t, config), unit)
					return
				}
				if name := modules[unit.Name]; name != "" {
					needsModule(t, name)
					common.run("python", "import "+name) // which may take longer than a keepalive
				}
				judge.play(t, common, unit)
			})
		}
	})
	if judge.played < len(captures)-len(modules) {
		return // some were filtered out
	}
	for _, row := range deviations.Stale() {
		if modules[strings.Split(row, ":")[0]] == "" {
			t.Errorf("docs/deviations.md lists a difference that is none any more: %s", row)
		}
	}
}

// recordedConfig is that of the captures: python alone, and a home that they name.
func recordedConfig(t *testing.T, captures []*replay.Capture) *interpreter.Config {
	t.Helper()
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range captures {
		c.Decoded = moved(c.Decoded, home)
	}
	bin := t.TempDir()
	if err := os.Symlink("/usr/bin/python3", filepath.Join(bin, "python3")); err != nil {
		t.Fatal(err)
	}
	env := []string{"PATH=" + bin, "HOME=" + home, "LANG=C.UTF-8"}
	return &interpreter.Config{Cwd: home, Env: func() []string { return env }}
}

// moved puts home in the place of the recorded one.
func moved(value any, home string) any {
	switch v := value.(type) {
	case string:
		return strings.ReplaceAll(v, "/home/user", home)
	case []any:
		for i := range v {
			v[i] = moved(v[i], home)
		}
	case map[string]any:
		for name := range v {
			v[name] = moved(v[name], home)
		}
	}
	return value
}

// judge plays units and fails the test for what is not allowed.
type judge struct {
	mu         sync.Mutex
	deviations *replay.Deviations
	played     int
}

func (j *judge) play(t *testing.T, s *server, unit *replay.Unit) {
	t.Helper()
	player := &replay.Player{Dial: func(ctx context.Context) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "tcp", strings.TrimPrefix(s.url, "http://"))
	}}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	results, err := player.Play(ctx, unit)
	if err != nil {
		t.Fatal(err)
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, r := range results {
		j.played++
		for _, diff := range replay.Compare(r.Capture, r.Answer) {
			if !j.deviations.Allows(diff) {
				t.Error(diff)
			}
		}
	}
}
