package cp

import (
	"errors"
	"strings"
	"testing"

	"github.com/agentsandbox/agent-sandbox/abx/internal/cmdutil"
)

func TestParse(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		source, destination string
		want                Options
	}{
		"up":               {"./a", "i123:/app", Options{ID: "i123", Local: "./a", Remote: "/app", Upload: true}},
		"down":             {"sbx-12-34:/app/x y", ".", Options{ID: "sbx-12-34", Local: ".", Remote: "/app/x y"}},
		"colon in a path":  {"./a:b", "i123:c", Options{ID: "i123", Local: "./a:b", Remote: "c", Upload: true}},
		"Windows drive":    {`C:\x`, "i123:/app", Options{ID: "i123", Local: `C:\x`, Remote: "/app", Upload: true}},
		"colon far behind": {"i123:/a:b", "out", Options{ID: "i123", Local: "out", Remote: "/a:b"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got Options
			if err := got.parse(tt.source, tt.destination); err != nil || got != tt.want {
				t.Errorf("got %+v, %v; want %+v", got, err, tt.want)
			}
		})
	}
}

func TestParseRefuses(t *testing.T) {
	t.Parallel()
	for _, args := range [][2]string{{"a", "b"}, {"i12:/a", "i34:/b"}, {"i12:", "b"}} {
		var usage *cmdutil.FlagError
		if err := new(Options).parse(args[0], args[1]); !errors.As(err, &usage) {
			t.Errorf("%v gives %v, want a usage error", args, err)
		}
	}
}

func TestProgressLineFits(t *testing.T) {
	t.Parallel()
	p := &progress{width: 60, name: "/a/very/long/path/that/does/not/fit/in/the/line.bin", size: 2_000_000, n: 1_000_000}
	line := p.line()
	if len(line) >= p.width {
		t.Errorf("%d characters on %d columns: %q", len(line), p.width, line)
	}
	if !strings.Contains(line, "50% 1.0 MB") || !strings.Contains(line, "line.bin") {
		t.Errorf("line is %q", line)
	}
}
