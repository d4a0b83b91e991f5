package sandboxclient_test

import (
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/agentsandbox/agent-sandbox/sandboxclient"
	"github.com/agentsandbox/agent-sandbox/sandboxclient/api"
)

// The queries that a real envd accepted, for the token of the recording.
func TestSignedURLs(t *testing.T) {
	t.Parallel()
	b := newBackend(t, "0.6.13")
	b.once(api.PathSandboxes, func(w http.ResponseWriter, _ *http.Request) {
		wire := b.wire()
		wire.EnvdAccessToken = "capture-token"
		writeJSON(w, http.StatusCreated, wire)
	})
	files := b.sandbox().Files
	const file = "/home/user/abx-secured/f.txt"
	for name, got := range map[string]string{
		"secured-signed-get":        files.ReadURL(file, nil),
		"secured-signed-get-user":   files.ReadURL(file, &sandboxclient.SignedURLOptions{User: "user"}),
		"secured-signed-get-expiry": files.ReadURL(file, &sandboxclient.SignedURLOptions{Expires: time.Unix(4102444800, 0)}),
		"secured-signed-post":       files.WriteURL("/home/user/abx-secured/up2.txt", nil),
	} {
		address, err := url.Parse(got)
		if err != nil {
			t.Fatal(err)
		}
		recorded, err := url.Parse(readCapture(t, name).Request.Path)
		if err != nil {
			t.Fatal(err)
		}
		if address.Query().Encode() != recorded.Query().Encode() {
			t.Errorf("%s: query %s, want %s", name, address.RawQuery, recorded.RawQuery)
		}
		if want := "https://49983-" + testID + ".test.example/files"; address.Scheme+"://"+address.Host+address.Path != want {
			t.Errorf("%s: address %s, want %s", name, got, want)
		}
	}
}

func TestURLsOfAnInsecureSandboxHoldNoSignature(t *testing.T) {
	t.Parallel()
	b := newBackend(t, "0.6.13")
	b.once(api.PathSandboxes, func(w http.ResponseWriter, _ *http.Request) {
		wire := b.wire()
		wire.EnvdAccessToken = ""
		writeJSON(w, http.StatusCreated, wire)
	})
	if got, want := b.sandbox().Files.ReadURL("/a b", nil), "https://49983-"+testID+".test.example/files?path=%2Fa+b"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
