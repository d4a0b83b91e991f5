package reap

import (
	"testing"
	"time"

	"github.com/agentsandbox/agent-sandbox/abx/internal/cmd/sandbox/view"
	"github.com/agentsandbox/agent-sandbox/mcpserver"
)

func TestSelects(t *testing.T) {
	t.Parallel()
	now := time.Now()
	here := mcpserver.ThisInstance()
	ended, elsewhere := here, here
	ended.PID = 1 << 30 // above any pid_max
	elsewhere.Machine = "0123456789abcdef"
	sandbox := func(label string, age time.Duration) *view.Sandbox {
		return &view.Sandbox{StartedAt: now.Add(-age), Metadata: map[string]string{mcpserver.MetadataInstance: label}}
	}
	tests := map[string]struct {
		options Options
		sandbox *view.Sandbox
		want    bool
	}{
		"owner runs":                    {Options{}, sandbox(here.String(), time.Hour), false},
		"owner ended":                   {Options{}, sandbox(ended.String(), time.Second), true},
		"owner on another machine":      {Options{}, sandbox(elsewhere.String(), 48*time.Hour), false},
		"label of another form":         {Options{}, sandbox("x", 48*time.Hour), false},
		"not made by abx":               {Options{OlderThan: time.Second}, &view.Sandbox{StartedAt: now.Add(-time.Hour)}, false},
		"named instance":                {Options{Instance: elsewhere.String()}, sandbox(elsewhere.String(), 0), true},
		"another instance is named":     {Options{Instance: elsewhere.String()}, sandbox(ended.String(), 0), false},
		"old enough, though owner runs": {Options{OlderThan: time.Hour}, sandbox(here.String(), 2*time.Hour), true},
		"too young":                     {Options{OlderThan: time.Hour}, sandbox(elsewhere.String(), time.Minute), false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := tt.options.selects(now)(tt.sandbox); got != tt.want {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}
