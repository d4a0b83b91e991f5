package sandboxclient_test

import (
	"testing"

	"github.com/agentsandbox/agent-sandbox/sandboxclient"
)

func TestNewRefusesUnusableKeys(t *testing.T) {
	t.Parallel()
	for _, key := range []string{"", "a b", "a\n", "schlüssel"} {
		if _, err := sandboxclient.New(key, nil); sandboxclient.CodeOf(err) != sandboxclient.CodeInvalidArgument {
			t.Errorf("New(%q) = %v, want invalid_argument", key, err)
		}
	}
}
