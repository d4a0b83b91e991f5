package environ_test

import (
	"slices"
	"testing"

	"github.com/agentsandbox/agent-sandbox/sandboxd/agent/internal/account"
	"github.com/agentsandbox/agent-sandbox/sandboxd/agent/internal/environ"
)

func TestLayers(t *testing.T) {
	t.Parallel()
	u := &account.User{Name: "user", Home: "/h"}
	base := map[string]string{"A": "base", "HOME": "base"}
	env := environ.Of(u, base, map[string]string{"B": "1", "C": "1"}, nil, map[string]string{"C": "2", "USER": "x\ny"})
	want := []string{"A=base", "B=1", "C=2", "HOME=/h", "LOGNAME=user", "USER=x\ny"}
	if got := environ.List(env); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if base["HOME"] != "base" || len(base) != 2 {
		t.Errorf("the base was changed: %v", base)
	}
}
