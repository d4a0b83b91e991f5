package system_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/agentsandbox/agent-sandbox/sandboxd/agent/internal/settings"
	"github.com/agentsandbox/agent-sandbox/sandboxd/agent/internal/system"
)

func call(store *settings.Store, body string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	system.Init(store, "0.6.13")(w, httptest.NewRequest(http.MethodPost, "/init", strings.NewReader(body)))
	return w
}

func TestInitSetsWhatItIsGiven(t *testing.T) {
	t.Parallel()
	store := settings.New(settings.Values{User: "root", Envs: map[string]string{"A": "1", "B": "1"}})
	w := call(store, `{"accessToken":"t","defaultUser":"user","defaultWorkdir":"/w","envVars":{"B":"2"},"timestamp":"2001-01-01T00:00:00Z"}`)
	if w.Code != http.StatusNoContent || w.Header().Get("X-Envd-Version") != "0.6.13" {
		t.Fatalf("%d %q", w.Code, w.Header())
	}
	v := store.Get()
	if v.Token != "t" || v.User != "user" || v.Workdir != "/w" || v.Envs["A"] != "1" || v.Envs["B"] != "2" {
		t.Errorf("%+v", v)
	}
	if w := call(store, `{"accessToken":"t"}`); w.Code != http.StatusNoContent || store.Get().User != "user" {
		t.Errorf("what is not named must stay: %d, %+v", w.Code, store.Get())
	}
}

func TestInitNeedsTheTokenOnceSet(t *testing.T) {
	t.Parallel()
	store := settings.New(settings.Values{Token: "t"})
	for _, body := range []string{"", "{}", `{"accessToken":"other","defaultUser":"root"}`} {
		w := call(store, body)
		if w.Code != http.StatusUnauthorized || w.Body.String() != "access token validation failed" || store.Get().User != "" {
			t.Errorf("%q: %d %q", body, w.Code, w.Body)
		}
	}
}

func TestInitRefusesWhatIsNoObject(t *testing.T) {
	t.Parallel()
	for _, body := range []string{"[", `"x"`, `{"envVars":5}`} {
		if w := call(settings.New(settings.Values{}), body); w.Code != http.StatusBadRequest {
			t.Errorf("%q: %d %q", body, w.Code, w.Body)
		}
	}
}
