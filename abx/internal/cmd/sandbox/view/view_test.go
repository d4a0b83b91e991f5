package view_test

import (
	"testing"
	"time"

	"github.com/agentsandbox/agent-sandbox/abx/internal/cmd/sandbox/view"
	"github.com/agentsandbox/agent-sandbox/sandboxclient"
)

func TestAge(t *testing.T) {
	t.Parallel()
	for d, want := range map[time.Duration]string{
		-time.Second:                     "0s",
		0:                                "0s",
		1400 * time.Millisecond:          "1s",
		59 * time.Second:                 "59s",
		90 * time.Second:                 "1m30s",
		10 * time.Minute:                 "10m",
		5*time.Minute + 30*time.Second:   "5m30s",
		3*time.Hour + 20*time.Minute:     "3h20m",
		25*time.Hour + 29*time.Second:    "25h0m",
		2*time.Hour + 1*time.Millisecond: "2h0m",
	} {
		if got := view.Age(d); got != want {
			t.Errorf("Age(%v) = %q, want %q", d, got, want)
		}
	}
}

func TestViewHoldsNoToken(t *testing.T) {
	t.Parallel()
	info := &sandboxclient.SandboxInfo{EnvdAccessToken: "secret"}
	info.SandboxID, info.TemplateID, info.Metadata = "i1", "tpl", map[string]string{"b": "2", "a": "1"}
	got := view.Of(info)
	if got.ID != "i1" || got.Template != "tpl" || got.Pairs() != "a=1 b=2" {
		t.Errorf("view is %+v", got)
	}
	info.Alias = "base"
	if got := view.Of(info).Template; got != "base" {
		t.Errorf("template is %q, want the alias", got)
	}
}
