package fctest_test

import (
	"encoding/json"
	"io"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/agentsandbox/agent-sandbox/fcdeploy/fctest"
)

// echoAnswer is what the function of these tests says of itself.
type echoAnswer struct {
	Instance string
	Env      map[string]string
	Header   http.Header
	Host     string
	Args     []string
	Dir      string
}

// visit is one request to a trigger.
type visit struct {
	status  int
	header  http.Header
	answer  echoAnswer
	text    string
	session string
}

// deployed is a function with a trigger and its URL.
type deployed struct {
	*caller
	url string
}

func deploy(t *testing.T, opts *fctest.Options, changes map[string]any) *deployed {
	t.Helper()
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skip("functions are linux/amd64 programs")
	}
	c := newCaller(t, opts)
	c.must(c.call("POST", "/functions", "CreateFunction", functionBody(t, object(map[string]any{"code": echoCode(t)}, changes))))
	trigger := c.must(c.call("POST", "/functions/echo/triggers", "CreateTrigger", triggerBody()))
	return &deployed{c, trigger.body["httpTrigger"].(map[string]any)["urlInternet"].(string)}
}

func (d *deployed) visit(method, path, session string) *visit {
	d.t.Helper()
	r, err := http.NewRequestWithContext(d.t.Context(), method, d.url+path, http.NoBody)
	if err != nil {
		d.t.Fatal(err)
	}
	r.Header.Set("X-Fc-Account-Id", "forged")
	if session != "" {
		r.Header.Set("Mcp-Session-Id", session)
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		d.t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		d.t.Fatal(err)
	}
	v := &visit{status: response.StatusCode, header: response.Header, text: string(text), session: response.Header.Get("Mcp-Session-Id")}
	_ = json.Unmarshal(text, &v.answer) // errors are not in this form
	return v
}

func TestInstanceGetsTheEnvironmentOfFC(t *testing.T) {
	t.Setenv("FCTEST_HOST_VARIABLE", "must not be seen")
	d := deploy(t, nil, map[string]any{"environmentVariables": map[string]string{"ABX_MCP_AUTH_TOKEN": "t"}})
	v := d.visit("POST", "/mcp", "")
	env := v.answer.Env
	for name, want := range map[string]string{
		"ABX_MCP_AUTH_TOKEN": "t", "FC_FUNCTION_NAME": "echo", "FC_REGION": "cn-hangzhou", "FC_ACCOUNT_ID": "1234567890123456",
		"FC_QUALIFIER": "LATEST", "FC_FUNC_CODE_PATH": v.answer.Dir, "FCTEST_HOST_VARIABLE": "",
	} {
		if env[name] != want {
			t.Errorf("%s is %q, want %q", name, env[name], want)
		}
	}
	if len(v.answer.Args) != 1 || !strings.HasSuffix(v.answer.Args[0], "/bootstrap") {
		t.Errorf("started as %q, want bootstrap without arguments", v.answer.Args)
	}
}

func TestHeadersAreThePlatforms(t *testing.T) {
	t.Parallel()
	d := deploy(t, nil, nil)
	v := d.visit("POST", "/mcp", "")
	if v.answer.Header.Get("X-Fc-Account-Id") != "" || v.answer.Header.Get("X-Fc-Request-Id") == "" {
		t.Errorf("request headers: %v", v.answer.Header)
	}
	if v.header.Get("X-Fc-Forged") != "" || v.header.Get("X-Fc-Request-Id") == "" || v.header.Get("Content-Disposition") != "attachment" {
		t.Errorf("response headers: %v", v.header)
	}
	if !strings.HasPrefix(v.answer.Host, "echo-") || !strings.HasSuffix(v.answer.Host, ".cn-hangzhou.fcapp.run") {
		t.Errorf("Host is %q", v.answer.Host)
	}
}

func TestTriggerRules(t *testing.T) {
	t.Parallel()
	d := deploy(t, nil, nil)
	if v := d.visit("PUT", "/mcp", ""); v.status != http.StatusMethodNotAllowed {
		t.Errorf("PUT: %d", v.status)
	}
	for config, want := range map[string]int{
		`{"authType":"function","methods":["POST"]}`:                            http.StatusForbidden,
		`{"methods":["POST"]}`:                                                  http.StatusForbidden, // function is the default
		`{"authType":"anonymous","methods":["POST"],"disableURLInternet":true}`: http.StatusForbidden,
		`{"authType":"anonymous","methods":["POST"]}`:                           http.StatusOK,
	} {
		d.must(d.call("PUT", "/functions/echo/triggers/http", "UpdateTrigger", map[string]any{"triggerConfig": config}))
		if v := d.visit("POST", "/mcp", ""); v.status != want {
			t.Errorf("%s: %d, want %d", config, v.status, want)
		}
	}
}

func TestAffinityKeepsSessionsApart(t *testing.T) {
	t.Parallel()
	d := deploy(t, nil, nil) // one session per instance
	first, second := d.visit("POST", "/mcp", ""), d.visit("POST", "/mcp", "")
	if first.answer.Instance == second.answer.Instance {
		t.Error("a full instance took a second session")
	}
	for range 3 {
		for _, begun := range []*visit{first, second} {
			if v := d.visit("POST", "/mcp", begun.session); v.status != http.StatusOK || v.answer.Instance != begun.answer.Instance {
				t.Errorf("session of %s went to %s: %d", begun.answer.Instance, v.answer.Instance, v.status)
			}
		}
	}
	// DELETE frees the place: the next session needs no third instance.
	d.visit("DELETE", "/mcp", first.session)
	if third := d.visit("POST", "/mcp", ""); third.answer.Instance != first.answer.Instance {
		t.Errorf("third session on %s, want %s", third.answer.Instance, first.answer.Instance)
	}
	if v := d.visit("POST", "/mcp", first.session); v.status != http.StatusNotFound {
		t.Errorf("ended session: %d, want 404", v.status)
	}
	if n := len(d.server.Instances("echo")); n != 2 {
		t.Errorf("%d instances, want 2", n)
	}
}

func TestWithoutAffinitySessionsGetLost(t *testing.T) {
	t.Parallel()
	d := deploy(t, nil, map[string]any{"sessionAffinity": "NONE"})
	d.must(d.call("PUT", "/functions/echo/scaling-config", "PutScalingConfig", map[string]any{"minInstances": 2}))
	seen := map[string]bool{}
	for deadline := time.Now().Add(30 * time.Second); len(seen) < 2 && time.Now().Before(deadline); {
		seen[d.visit("POST", "/mcp", "").answer.Instance] = true // until both have started
	}
	begun := d.visit("POST", "/mcp", "")
	statuses := map[int]int{}
	for range 4 {
		statuses[d.visit("POST", "/mcp", begun.session).status]++
	}
	if statuses[http.StatusOK] != 2 || statuses[http.StatusNotFound] != 2 {
		t.Errorf("statuses %v, want half of them 404", statuses)
	}
}

func TestSessionLifetimes(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		steps []time.Duration
		alive bool
	}{
		"in use":      {[]time.Duration{40 * time.Second, 40 * time.Second}, true},
		"idle":        {[]time.Duration{51 * time.Second}, false},
		"old":         {[]time.Duration{40 * time.Second, 40 * time.Second, 40 * time.Second}, false},
		"just before": {[]time.Duration{49 * time.Second}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			clock := &clock{now: time.Now()}
			d := deploy(t, &fctest.Options{SessionClock: clock.time}, nil)
			begun := d.visit("POST", "/mcp", "")
			for _, step := range test.steps {
				clock.advance(step)
				d.visit("POST", "/mcp", begun.session)
			}
			if bound := d.server.Instances("echo")[0].Sessions == 1; bound != test.alive {
				t.Errorf("bound %v, want %v", bound, test.alive)
			}
		})
	}
}

type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) time() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

func TestRecycledInstanceLosesItsSessions(t *testing.T) {
	t.Parallel()
	d := deploy(t, nil, nil)
	begun := d.visit("POST", "/mcp", "")
	d.server.StopInstance("echo", begun.answer.Instance)
	v := d.visit("POST", "/mcp", begun.session)
	if v.status != http.StatusNotFound {
		t.Errorf("got %d, want 404 of a new instance", v.status)
	}
	if n := len(d.server.Instances("echo")); n != 1 {
		t.Errorf("%d instances", n)
	}
}

func TestUpdateReplacesInstances(t *testing.T) {
	t.Parallel()
	d := deploy(t, nil, nil)
	before := d.visit("POST", "/mcp", "")
	d.must(d.call("PUT", "/functions/echo", "UpdateFunction", map[string]any{"environmentVariables": map[string]string{"NEW": "1"}}))
	after := d.visit("POST", "/mcp", "")
	if after.answer.Instance == before.answer.Instance || after.answer.Env["NEW"] != "1" {
		t.Errorf("instance %s with NEW=%q answers", after.answer.Instance, after.answer.Env["NEW"])
	}
}

func TestStartFailures(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ env, want string }{
		"listens on 127.0.0.1": {"ECHO_LOOPBACK", "health check failed"},
		"ends":                 {"ECHO_EXIT", "CAExited"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := deploy(t, &fctest.Options{StartTimeout: time.Second}, map[string]any{"environmentVariables": map[string]string{test.env: "1"}})
			if v := d.visit("POST", "/mcp", ""); v.status != http.StatusBadGateway || !strings.Contains(v.text, test.want) {
				t.Errorf("got %d %s", v.status, v.text)
			}
		})
	}
}

func TestFunctionTimeout(t *testing.T) {
	t.Parallel()
	d := deploy(t, nil, map[string]any{"timeout": 1})
	if v := d.visit("POST", "/slow", ""); v.status != http.StatusGatewayTimeout || !strings.Contains(v.text, "FunctionTimeout") {
		t.Errorf("got %d %s", v.status, v.text)
	}
}

func TestIdleInstanceIsStopped(t *testing.T) {
	t.Parallel()
	d := deploy(t, &fctest.Options{InstanceIdle: 50 * time.Millisecond}, nil)
	d.visit("POST", "/mcp", "")
	for deadline := time.Now().Add(10 * time.Second); len(d.server.Instances("echo")) > 0; {
		if time.Now().After(deadline) {
			t.Fatal("the instance still runs")
		}
		time.Sleep(10 * time.Millisecond)
	}
}
