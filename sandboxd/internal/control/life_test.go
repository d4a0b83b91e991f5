package control_test

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/agentsandbox/agent-sandbox/sandboxclient/api"
	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/control"
	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/profile"
)

func (w *world) callWithKey(method, path, key string) answer {
	req := httptest.NewRequest(method, path, nil)
	req.Header.Set(api.HeaderAPIKey, key)
	res := httptest.NewRecorder()
	w.handler.ServeHTTP(res, req)
	return answer{res, w.t}
}

func TestUnknownSandbox(t *testing.T) {
	t.Parallel()
	w := newWorld(t, profile.E2B, 0)
	const words = `Sandbox "inobody" doesn't exist or you don't have access to it`
	for _, c := range []struct {
		method, path string
		body         any
	}{
		{"GET", "", nil}, {"DELETE", "", nil}, {"POST", "/timeout", map[string]int{"timeout": 1}},
		{"POST", "/connect", map[string]int{"timeout": 1}}, {"POST", "/pause", nil}, {"POST", "/resume", nil},
		{"POST", "/refreshes", nil}, {"GET", "/metrics", nil}, {"GET", "/logs", nil}, {"PUT", "/network", map[string]any{}},
	} {
		w.call(c.method, "/sandboxes/inobody"+c.path, c.body).is(c.method+" "+c.path, 404, words)
	}
}

func TestOldClientsAppendTheirID(t *testing.T) {
	t.Parallel()
	w := newWorld(t, profile.E2B, 0)
	s := w.create(nil)
	if res := w.call("GET", "/sandboxes/"+s.SandboxID+"-6532622b", nil); res.Code != 200 {
		t.Errorf("id with client id: answered %d", res.Code)
	}
	w.call("GET", "/sandboxes/"+s.SandboxID+"-a-b", nil).is("two suffixes", 400, "Invalid sandbox ID")
}

func TestKill(t *testing.T) {
	t.Parallel()
	w := newWorld(t, profile.E2B, 0)
	running, paused := w.create(nil), w.create(nil)
	w.call("POST", "/sandboxes/"+paused.SandboxID+"/pause", nil).is("pause", 204, "")
	for _, s := range []api.Sandbox{running, paused} {
		w.call("DELETE", "/sandboxes/"+s.SandboxID, nil).is("kill", 204, "")
		if res := w.call("DELETE", "/sandboxes/"+s.SandboxID, nil); res.Code != 404 {
			t.Errorf("second kill answered %d", res.Code)
		}
	}
}

func TestTimeout(t *testing.T) {
	t.Parallel()
	w := newWorld(t, profile.E2B, 0)
	path := "/sandboxes/" + w.create(nil).SandboxID
	w.call("POST", path+"/timeout", map[string]int{"timeout": 600}).is("timeout", 204, "")
	var detail api.SandboxDetail
	w.call("GET", path, nil).into(&detail)
	if left := time.Until(detail.EndAt); left < 590*time.Second || left > 600*time.Second {
		t.Errorf("ends in %s, want 600s", left)
	}
	w.call("POST", path+"/timeout", nil).is("no timeout", 400, "timeout is required, in seconds")
	w.call("POST", path+"/timeout", map[string]int{"timeout": 86401}).is("too long", 400, "Max instance length exceeded")
	w.call("POST", path+"/refreshes", map[string]int{"duration": 3601}).is("refresh", 400, "duration must be between 0 and 3600 seconds")
	w.call("POST", path+"/refreshes", map[string]int{"duration": 60}).is("refresh", 204, "")
	w.call("GET", path, nil).into(&detail)
	if left := time.Until(detail.EndAt); left < 590*time.Second {
		t.Errorf("ends in %s after a refresh, which never shortens", left)
	}
	w.call("POST", path+"/timeout", map[string]int{"timeout": 0}).is("zero", 204, "")
	for end := time.Now().Add(10 * time.Second); w.call("GET", path, nil).Code != 404; {
		if time.Now().After(end) {
			t.Fatal("alive 10 s after a timeout of 0")
		}
	}
}

func TestPauseConnectResume(t *testing.T) {
	t.Parallel()
	w := newWorld(t, profile.E2B, 0)
	s := w.create(map[string]any{"secure": true})
	path := "/sandboxes/" + s.SandboxID
	quoted := `Sandbox "` + s.SandboxID + `" `

	if res := w.call("POST", path+"/connect", map[string]int{"timeout": 5}); res.Code != 200 {
		t.Errorf("connect to a running one answered %d", res.Code)
	}
	w.call("POST", path+"/connect", nil).is("connect without timeout", 400, "timeout is required, in seconds")
	w.call("POST", path+"/resume", nil).is("resume of a running one", 409, quoted+"is already running")
	w.call("POST", path+"/pause", map[string]any{"memory": true}).is("pause", 204, "")
	w.call("POST", path+"/pause", nil).is("second pause", 409, quoted+"is already paused")
	w.call("POST", path+"/timeout", map[string]int{"timeout": 5}).is("timeout of a paused one", 409, quoted+"is not running")
	w.call("PUT", path+"/network", map[string]any{}).is("network of a paused one", 409, quoted+"is not running")

	res := w.call("POST", "/v2"+path+"/connect", nil)
	var again api.Sandbox
	res.into(&again)
	if res.Code != 201 || again.EnvdAccessToken != s.EnvdAccessToken {
		t.Errorf("connect to a paused one answered %d %+v", res.Code, again)
	}
	w.call("POST", path+"/pause", nil).is("pause", 204, "")
	if res := w.call("POST", path+"/resume", map[string]int{"timeout": 30}); res.Code != 201 {
		t.Errorf("resume answered %d", res.Code)
	}
}

func TestDetail(t *testing.T) {
	t.Parallel()
	w := newWorld(t, profile.E2B, 0)
	s := w.create(map[string]any{
		"secure": true, "autoPause": true, "allow_internet_access": false, "metadata": map[string]string{"a": "b"},
		"network": map[string]any{"denyOut": []string{"10.0.0.0/8"}, "allowOut": []string{"example.com"}},
	})
	var d api.SandboxDetail
	w.call("GET", "/sandboxes/"+s.SandboxID, nil).into(&d)
	if d.State != "running" || d.CPUCount != 2 || d.MemoryMB != 2048 || d.DiskSizeMB != 1024 || d.Metadata["a"] != "b" {
		t.Errorf("listed part is %+v", d.ListedSandbox)
	}
	if d.AllowInternetAccess == nil || *d.AllowInternetAccess || d.Lifecycle.OnTimeout != "pause" || d.EnvdAccessToken == "" {
		t.Errorf("detail is %+v", d)
	}
	if d.Network == nil || d.Network.DenyOut[0] != "10.0.0.0/8" || d.Network.AllowOut[0] != "example.com" {
		t.Errorf("network is %+v", d.Network)
	}
}

func TestNetwork(t *testing.T) {
	t.Parallel()
	w := newWorld(t, profile.E2B, 0)
	path := "/sandboxes/" + w.create(map[string]any{"network": map[string]any{"denyOut": []string{"10.0.0.0/8"}}}).SandboxID
	w.call("PUT", path+"/network", map[string]any{"allowOut": []string{"example.com"}}).is("network", 204, "")
	if len(w.network.DenyOut) != 0 || w.network.AllowOut[0] != "example.com" {
		t.Errorf("rules are now %+v: what is left out is cleared", w.network)
	}
	w.netErr = &control.NotOffered{What: "this"}
	w.call("PUT", path+"/network", map[string]any{"denyOut": []string{"1.1.1.1"}}).is("isolation without it", 501, "this: not offered by sandboxd")
	var d api.SandboxDetail
	w.call("GET", path, nil).into(&d)
	if len(d.Network.DenyOut) != 0 {
		t.Errorf("rules that do not hold are reported: %+v", d.Network)
	}
}

func TestNotOffered(t *testing.T) {
	t.Parallel()
	w := newWorld(t, profile.E2B, 0)
	for _, call := range [][2]string{
		{"POST", "/v3/templates"}, {"POST", "/v2/templates/x/builds/y"}, {"GET", "/templates/x/builds/y/status"},
		{"POST", "/sandboxes/x/snapshots"}, {"GET", "/snapshots"}, {"POST", "/sandboxes/x/fork"}, {"GET", "/volumes"},
		{"GET", "/volumecontent/x/path"}, {"GET", "/secrets"}, {"GET", "/teams"}, {"POST", "/api-keys"}, {"DELETE", "/templates/x"},
	} {
		if res := w.call(call[0], call[1], nil); res.Code != http.StatusNotImplemented {
			t.Errorf("%s %s answered %d %q", call[0], call[1], res.Code, res.Body)
		}
	}
	w.call("GET", "/nothing/here", nil).is("unknown", 404, "no such endpoint: GET /nothing/here")
	res := w.call("PATCH", "/sandboxes", nil)
	if res.Code != 405 || res.Header().Get("Allow") != "GET, POST" {
		t.Errorf("PATCH answered %d, Allow %q", res.Code, res.Header().Get("Allow"))
	}
}
