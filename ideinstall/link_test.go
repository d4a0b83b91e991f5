package ideinstall_test

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/url"
	"strings"
	"testing"

	"github.com/agentsandbox/agent-sandbox/ideinstall"
)

// decodeLink reads a link as the client does and returns the entry.
func decodeLink(t *testing.T, link string) map[string]any {
	t.Helper()
	var text string
	if rest, ok := strings.CutPrefix(link, "vscode:mcp/install?"); ok {
		decoded, err := url.PathUnescape(rest) // decodeURIComponent leaves "+" alone
		if err != nil {
			t.Fatal(err)
		}
		text = decoded
	} else {
		u, err := url.Parse(link)
		if err != nil {
			t.Fatal(err)
		}
		data, err := base64.StdEncoding.DecodeString(u.Query().Get("config"))
		if err != nil || u.Query().Get("name") != "agent-sandbox" {
			t.Fatalf("%s: %v", link, err)
		}
		text = string(data)
	}
	var entry map[string]any
	if err := json.Unmarshal([]byte(text), &entry); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return entry
}

func TestLinks(t *testing.T) {
	t.Parallel()
	s := stdioServer()
	s.Command = "/My Tools/a+b/abx"
	for _, id := range []string{"cursor", "vscode", "lmstudio"} {
		tg := target(t, id)
		for _, mode := range []ideinstall.SecretMode{"auto", "literal", "none"} {
			link, err := ideinstall.Link(tg, s, &ideinstall.Options{Secret: mode})
			if err != nil {
				t.Fatal(err)
			}
			entry := decodeLink(t, link)
			if entry["command"] != s.Command {
				t.Errorf("%s: command %v", id, entry["command"])
			}
			if text, _ := json.Marshal(entry); strings.Contains(string(text), testKey) || strings.Contains(link, testKey) {
				t.Errorf("%s: the link holds the key", id)
			}
		}
	}
}

func TestLinkForms(t *testing.T) {
	t.Parallel()
	for id, prefix := range map[string]string{
		"cursor":          "cursor://anysphere.cursor-deeplink/mcp/install?name=agent-sandbox&config=",
		"vscode":          "vscode:mcp/install?%7B%22name%22%3A%22agent-sandbox%22",
		"vscode-insiders": "vscode-insiders:mcp/install?%7B",
		"lmstudio":        "lmstudio://add_mcp?name=agent-sandbox&config=",
	} {
		link, err := ideinstall.Link(target(t, id), stdioServer(), nil)
		if err != nil || !strings.HasPrefix(link, prefix) || strings.ContainsAny(link, " +") {
			t.Errorf("%s: %s (%v)", id, link, err)
		}
	}
	link, err := ideinstall.Link(target(t, "vscode"), stdioServer(), &ideinstall.Options{Secret: ideinstall.SecretInput})
	if entry := decodeLink(t, link); err != nil || len(entry["inputs"].([]any)) != 1 {
		t.Errorf("inputs: %v (%v)", entry, err)
	}
	var unsupported *ideinstall.UnsupportedError
	if _, err := ideinstall.Link(target(t, "zed"), stdioServer(), nil); !errors.As(err, &unsupported) {
		t.Errorf("zed: %v", err)
	}
}

func TestSnippetMasksTheKey(t *testing.T) {
	t.Parallel()
	for _, tg := range ideinstall.Targets() {
		text, err := ideinstall.Snippet(tg, stdioServer(), &ideinstall.Options{Secret: ideinstall.SecretLiteral})
		if err != nil || strings.Contains(text, testKey) || !strings.Contains(text, `"***"`) || !strings.Contains(text, "agent-sandbox") {
			t.Errorf("%s: %s (%v)", tg.ID, text, err)
		}
	}
}
