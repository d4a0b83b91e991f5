package control_test

import (
	"errors"
	"net/http"
	"regexp"
	"testing"
	"time"

	"github.com/agentsandbox/agent-sandbox/sandboxclient/api"
	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/profile"
)

func TestCreate(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		profile *profile.Profile
		id      string
		envd    string
	}{
		{profile.E2B, `^i[a-z0-9]{20}$`, "0.6.13"},
		{profile.FC, `^sbx-[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`, "0.5.2"},
	} {
		w := newWorld(t, c.profile, 0)
		s := w.create(nil)
		if !regexp.MustCompile(c.id).MatchString(s.SandboxID) || s.EnvdVersion != c.envd {
			t.Errorf("%s: id %q, envd %q", c.profile.Name, s.SandboxID, s.EnvdVersion)
		}
		if s.ClientID != "6532622b" || s.TemplateID != "base" || s.EnvdAccessToken != "" || s.TrafficAccessToken != nil {
			t.Errorf("%s: answered %+v", c.profile.Name, s)
		}
		if s.Domain == nil || *s.Domain != "localhost:3000" {
			t.Errorf("%s: domain is %v", c.profile.Name, s.Domain)
		}
	}
}

func TestCreateSecure(t *testing.T) {
	t.Parallel()
	w := newWorld(t, profile.E2B, 0)
	first, second := w.create(map[string]any{"secure": true}), w.create(map[string]any{"secure": true})
	if len(first.EnvdAccessToken) < 32 || first.EnvdAccessToken == second.EnvdAccessToken {
		t.Errorf("tokens are %q and %q", first.EnvdAccessToken, second.EnvdAccessToken)
	}
	private := w.create(map[string]any{"secure": true, "network": map[string]any{"allowPublicTraffic": false}})
	if private.TrafficAccessToken == nil || *private.TrafficAccessToken == private.EnvdAccessToken {
		t.Errorf("traffic token is %v", private.TrafficAccessToken)
	}
}

// Version 2 of create makes secure sandboxes only, and defaults to 300
// seconds; version 1 defaults to 15.
func TestDefaultsOfBothVersions(t *testing.T) {
	t.Parallel()
	w := newWorld(t, profile.E2B, 0)
	for path, want := range map[string]struct {
		life   time.Duration
		secure bool
	}{
		"/sandboxes": {15 * time.Second, false}, "/v2/sandboxes": {300 * time.Second, true},
	} {
		var s api.Sandbox
		w.call("POST", path, map[string]any{"templateID": "code-interpreter-v1"}).into(&s)
		var detail api.SandboxDetail
		w.call("GET", "/sandboxes/"+s.SandboxID, nil).into(&detail)
		if left := time.Until(detail.EndAt); left > want.life || left < want.life-5*time.Second {
			t.Errorf("%s: lives for %s, want %s", path, left, want.life)
		}
		if (s.EnvdAccessToken != "") != want.secure {
			t.Errorf("%s: secure is %t", path, s.EnvdAccessToken != "")
		}
	}
}

func TestCreateRefuses(t *testing.T) {
	t.Parallel()
	w := newWorld(t, profile.E2B, 0)
	base := func(name string, value any) map[string]any { return map[string]any{"templateID": "base", name: value} }
	network := func(n map[string]any) map[string]any { return base("network", n) }
	for what, c := range map[string]struct {
		body    any
		status  int
		message string
	}{
		"no body":       {nil, 400, "templateID is required"},
		"not JSON":      {"{", 400, "request body is not valid JSON: unexpected end of JSON input"},
		"wrong type":    {base("timeout", "soon"), 400, `field "timeout": want a whole number, got string`},
		"a template":    {map[string]any{"templateID": "mine"}, 404, "template 'mine' not found"},
		"zero timeout":  {base("timeout", 0), 400, "Timeout must be greater than 0"},
		"minus":         {base("timeout", -5), 400, "Timeout must be greater than 0"},
		"too long":      {base("timeout", 86401), 400, "Timeout cannot be greater than 24 hours"},
		"volumes":       {base("volumeMounts", []map[string]string{{"name": "v", "path": "/v"}}), 501, "volumeMounts: not offered by sandboxd"},
		"gateway":       {base("mcp", map[string]any{"x": 1}), 501, "mcp: not offered by sandboxd"},
		"roles":         {base("iam", map[string]any{"role": "x"}), 501, "iam: not offered by sandboxd"},
		"egress proxy":  {network(map[string]any{"egressProxy": "http://p"}), 501, "network.egressProxy: not offered by sandboxd"},
		"rules":         {network(map[string]any{"rules": map[string]any{"a": 1}}), 501, "network.rules: not offered by sandboxd"},
		"private, open": {network(map[string]any{"allowPublicTraffic": false}), 400, "network.allowPublicTraffic can be false only for a secure sandbox: send secure true"},
		"a URL":         {network(map[string]any{"allowOut": []string{"http://x"}}), 400, `network.allowOut[0]: "http://x" is not an address, a network or a host name`},
	} {
		w.call("POST", "/sandboxes", c.body).is(what, c.status, c.message)
	}
	if n := len(w.manager.List()); n != 0 {
		t.Errorf("%d sandboxes were made all the same", n)
	}
}

func TestCreateFails(t *testing.T) {
	t.Parallel()
	w := newWorld(t, profile.E2B, 1)
	w.startErr = errors.New("no space left")
	w.call("POST", "/sandboxes", map[string]any{"templateID": "base"}).is("start", 500, "start sandbox: no space left")
	w.startErr = nil
	w.create(nil)
	res := w.call("POST", "/sandboxes", map[string]any{"templateID": "base"})
	res.is("too many", 429, "you have reached the maximum number of concurrent E2B sandboxes")
	if res.Header().Get("Retry-After") != "" {
		t.Error("a quota is no rate limit: no Retry-After")
	}
}

func TestTemplateTags(t *testing.T) {
	t.Parallel()
	w := newWorld(t, profile.E2B, 0)
	if s := w.create(map[string]any{"templateID": "base:default"}); s.TemplateID != "base" {
		t.Errorf("template is %q", s.TemplateID)
	}
}

func TestKeys(t *testing.T) {
	t.Parallel()
	w := newWorld(t, profile.E2B, 0)
	for given, want := range map[string]int{"": 401, "wrong": 401, key + "0": 401, "another": 200, key: 200} {
		res := w.callWithKey("GET", "/v2/sandboxes", given)
		if res.Code != want {
			t.Errorf("key %q: answered %d, want %d", given, res.Code, want)
		}
	}
	if res := w.callWithKey("GET", "/health", ""); res.Code != http.StatusOK {
		t.Errorf("health without a key: %d", res.Code)
	}
}

func TestFCHasNoVersion2(t *testing.T) {
	t.Parallel()
	w := newWorld(t, profile.FC, 0)
	s := w.create(nil)
	for _, path := range []string{"/v2/sandboxes", "/v2/sandboxes/" + s.SandboxID + "/connect"} {
		w.call("POST", path, map[string]any{}).is(path, 405, "method POST is not allowed on "+path)
	}
	if res := w.call("GET", "/v2/sandboxes", nil); res.Code != 200 {
		t.Errorf("list answered %d", res.Code)
	}
	w.call("POST", "/sandboxes", map[string]any{"templateID": "base", "network": map[string]any{"egressProxy": "x"}}).
		is("egress proxy", 400, "network.egressProxy is not supported")
}
