package exec

import (
	"errors"
	"testing"

	"github.com/agentsandbox/agent-sandbox/abx/internal/cmdutil"
	"github.com/agentsandbox/agent-sandbox/sandboxclient"
)

func TestCommandLine(t *testing.T) {
	t.Parallel()
	for want, words := range map[string][]string{
		"ls | wc -l":           {"ls | wc -l"},
		"'echo' '$HOME' 'a b'": {"echo", "$HOME", "a b"},
		`'echo' 'it'\''s'`:     {"echo", "it's"},
		"'echo' ''":            {"echo", ""},
	} {
		if got := (&Options{Command: words}).commandLine(); got != want {
			t.Errorf("%q becomes %s, want %s", words, got, want)
		}
	}
}

func TestExitOf(t *testing.T) {
	t.Parallel()
	if err := exitOf(&sandboxclient.Result{}, nil); err != nil {
		t.Errorf("exit 0 gives %v", err)
	}
	var exit *cmdutil.ExitError
	if err := exitOf(&sandboxclient.Result{ExitCode: 143}, nil); !errors.As(err, &exit) || exit.Status != 143 {
		t.Errorf("exit 143 gives %v", err)
	}
	if err := exitOf(&sandboxclient.Result{TimedOut: true, ExitCode: 124}, nil); err == nil || errors.As(err, &exit) && exit.Status == 124 {
		t.Errorf("a timeout gives %v, which does not say so", err)
	}
}
