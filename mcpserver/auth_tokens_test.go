package mcpserver_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/agentsandbox/agent-sandbox/mcpserver"
)

func TestParseTokens(t *testing.T) {
	t.Parallel()
	tokens, err := mcpserver.ParseTokens(strings.NewReader("# team\nalice secret-a\r\n\n  secret-b\t\n"))
	if err != nil {
		t.Fatal(err)
	}
	// The second is unnamed: its principal is the beginning of its SHA-256.
	for token, want := range map[string]string{"secret-a": "alice", "secret-b": "ff492ef788c8"} {
		if got, ok := tokens.Principal(token); !ok || got != want {
			t.Errorf("Principal(%q) = %q, %v; want %q", token, got, ok, want)
		}
	}
	for _, token := range []string{"", "alice", "secret-A", "secret-a ", "secret-b\n", "secret"} {
		if got, ok := tokens.Principal(token); ok {
			t.Errorf("Principal(%q) = %q", token, got)
		}
	}
}

func TestParseTokensRefuses(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ text, want string }{
		"nothing":         {"", "no token"},
		"only a comment":  {"# nothing\n\n", "no token"},
		"three words":     {"a b secret\n", "line 1"},
		"a name twice":    {"a secret1\na secret2\n", "line 2"},
		"not ASCII":       {"géheim\n", "line 1"},
		"a name with a /": {"a/b secret\n", "line 1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := mcpserver.ParseTokens(strings.NewReader(tt.text))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Fatalf("error %v, want one with %q", err, tt.want)
			}
			if strings.Contains(err.Error(), "secret") {
				t.Errorf("the error repeats a token: %v", err)
			}
		})
	}
}

func TestReplaceKeepsTheOldTokensOnAnError(t *testing.T) {
	t.Parallel()
	tokens, err := mcpserver.ParseTokens(strings.NewReader("a secret-1\n"))
	if err != nil {
		t.Fatal(err)
	}
	if err := tokens.Replace(strings.NewReader("\n")); !errors.Is(err, mcpserver.ErrNoToken) {
		t.Fatalf("error %v, want ErrNoToken", err)
	}
	if _, ok := tokens.Principal("secret-1"); !ok {
		t.Error("the old token is gone")
	}
	if err := tokens.Replace(strings.NewReader("a secret-2\n")); err != nil {
		t.Fatal(err)
	}
	if _, ok := tokens.Principal("secret-1"); ok {
		t.Error("a replaced token is still good")
	}
}
