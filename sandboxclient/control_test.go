package sandboxclient_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/agentsandbox/agent-sandbox/sandboxclient"
	"github.com/agentsandbox/agent-sandbox/sandboxclient/api"
)

// scripted is a control plane that answers every request with one function
// and keeps the requests.
type scripted struct {
	t      *testing.T
	answer http.HandlerFunc
	method string
	url    string
	body   string
}

func (s *scripted) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		s.t.Error(err)
	}
	s.method, s.url, s.body = r.Method, r.URL.String(), string(body)
	s.answer(w, r)
}

func (s *scripted) client() *sandboxclient.Client {
	s.t.Helper()
	c, err := sandboxclient.New(testKey, &sandboxclient.Options{APIURL: "https://api.test.example", HTTPClient: serveMemory(s.t, s)})
	if err != nil {
		s.t.Fatal(err)
	}
	return c
}

func status(code int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(code)
		_, _ = io.WriteString(w, body)
	}
}

const sandboxJSON = `{"templateID":"base","sandboxID":"i0123456789abcdefghij","clientID":"6532622b","envdVersion":"0.6.13","unknown":1}`

func TestControlCallsOnTheWire(t *testing.T) {
	t.Parallel()
	no := false
	for name, test := range map[string]struct {
		call   func(*sandboxclient.Client) error
		method string
		url    string
		body   string // JSON; "" is none
		status int
		answer string
	}{
		"create": {func(c *sandboxclient.Client) error { _, err := c.Create(t.Context(), nil); return err },
			"POST", "/sandboxes", `{"templateID":"base","timeout":300,"secure":true}`, 201, sandboxJSON},
		"create with all": {func(c *sandboxclient.Client) error {
			_, err := c.Create(t.Context(), &sandboxclient.CreateOptions{
				Template: "code-interpreter-v1", Timeout: 1500 * time.Millisecond, Envs: map[string]string{"A": "b"},
				Metadata: map[string]string{"k": "v"}, Insecure: true, AllowInternetAccess: &no, AutoPause: true, AutoPauseMemory: &no,
				AutoResume: true, Network: &api.Network{AllowPublicTraffic: &no, AllowOut: []string{"1.1.1.1"}},
				VolumeMounts: []api.VolumeMount{{Name: "v", Path: "/v"}}, MCP: map[string]any{"x": 1},
			})
			return err
		}, "POST", "/sandboxes", `{"templateID":"code-interpreter-v1","timeout":2,"secure":false,"allow_internet_access":false,"autoPause":true,
			"autoPauseMemory":false,"autoResume":{"enabled":true},"metadata":{"k":"v"},"envVars":{"A":"b"},
			"network":{"allowPublicTraffic":false,"allowOut":["1.1.1.1"]},"volumeMounts":[{"name":"v","path":"/v"}],"mcp":{"x":1}}`, 201, sandboxJSON},
		"connect": {func(c *sandboxclient.Client) error { _, err := c.Connect(t.Context(), "a/b", nil); return err },
			"POST", "/sandboxes/a%2Fb/connect", `{"timeout":300}`, 200, sandboxJSON},
		"kill":        {func(c *sandboxclient.Client) error { return c.Kill(t.Context(), "x") }, "DELETE", "/sandboxes/x", "", 204, ""},
		"set timeout": {func(c *sandboxclient.Client) error { return c.SetTimeout(t.Context(), "x", time.Minute) }, "POST", "/sandboxes/x/timeout", `{"timeout":60}`, 204, ""},
		"end now":     {func(c *sandboxclient.Client) error { return c.SetTimeout(t.Context(), "x", 0) }, "POST", "/sandboxes/x/timeout", `{"timeout":0}`, 204, ""},
		"pause":       {func(c *sandboxclient.Client) error { return c.Pause(t.Context(), "x", nil) }, "POST", "/sandboxes/x/pause", "", 204, ""},
		"pause disk": {func(c *sandboxclient.Client) error {
			return c.Pause(t.Context(), "x", &sandboxclient.PauseOptions{DropMemory: true})
		}, "POST", "/sandboxes/x/pause", `{"memory":false}`, 204, ""},
		"resume": {func(c *sandboxclient.Client) error { _, err := c.Resume(t.Context(), "x", nil); return err },
			"POST", "/sandboxes/x/resume", `{"timeout":300}`, 201, sandboxJSON},
		"refresh": {func(c *sandboxclient.Client) error { return c.Refresh(t.Context(), "x", time.Minute) }, "POST", "/sandboxes/x/refreshes", `{"duration":60}`, 204, ""},
		"network": {func(c *sandboxclient.Client) error {
			return c.SetNetwork(t.Context(), "x", &api.NetworkUpdate{DenyOut: []string{"0.0.0.0/0"}})
		}, "PUT", "/sandboxes/x/network", `{"denyOut":["0.0.0.0/0"]}`, 204, ""},
		"metrics": {func(c *sandboxclient.Client) error {
			_, err := c.Metrics(t.Context(), "x", &sandboxclient.MetricsOptions{Start: time.Unix(5, 0)})
			return err
		}, "GET", "/sandboxes/x/metrics?start=5", "", 200, "[]"},
		"latest metrics": {func(c *sandboxclient.Client) error { _, err := c.LatestMetrics(t.Context(), "a", "b"); return err },
			"GET", "/sandboxes/metrics?sandbox_ids=a%2Cb", "", 200, `{"sandboxes":{}}`},
		"logs": {func(c *sandboxclient.Client) error {
			_, err := c.Logs(t.Context(), "x", &sandboxclient.LogsOptions{Cursor: time.UnixMilli(1500), Limit: 10, Backward: true})
			return err
		}, "GET", "/v2/sandboxes/x/logs?cursor=1500&direction=backward&limit=10", "", 200, `{"logs":[]}`},
		"templates": {func(c *sandboxclient.Client) error { _, err := c.Templates(t.Context()); return err }, "GET", "/templates", "", 200, "[]"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := &scripted{t: t, answer: status(test.status, test.answer)}
			if err := test.call(s.client()); err != nil {
				t.Fatal(err)
			}
			if s.method != test.method || s.url != test.url {
				t.Errorf("sent %s %s, want %s %s", s.method, s.url, test.method, test.url)
			}
			if !sameJSON(s.body, test.body) {
				t.Errorf("sent %s, want %s", s.body, test.body)
			}
		})
	}
}

func sameJSON(a, b string) bool {
	if a == "" || b == "" {
		return a == b
	}
	normal := func(s string) string {
		var v any
		if json.Unmarshal([]byte(s), &v) != nil {
			return s
		}
		out, _ := json.Marshal(v)
		return string(out)
	}
	return normal(a) == normal(b)
}

func TestControlErrors(t *testing.T) {
	t.Parallel()
	get := func(c *sandboxclient.Client) error { _, err := c.Get(t.Context(), "x"); return err }
	create := func(c *sandboxclient.Client) error { _, err := c.Create(t.Context(), nil); return err }
	pause := func(c *sandboxclient.Client) error { return c.Pause(t.Context(), "x", nil) }
	for name, test := range map[string]struct {
		call     func(*sandboxclient.Client) error
		status   int
		body     string
		code     sandboxclient.Code
		resource sandboxclient.Resource
	}{
		"no such sandbox":    {get, 404, `{"code":404,"message":"Sandbox \"x\" doesn't exist"}`, sandboxclient.CodeNotFound, sandboxclient.ResourceSandbox},
		"no such template":   {create, 404, `{"code":404,"message":"template 'x' not found"}`, sandboxclient.CodeNotFound, sandboxclient.ResourceTemplate},
		"a gateway's 404":    {get, 404, `<html><h1>404 Not Found</h1></html>`, sandboxclient.CodeUnsupported, ""},
		"bad key":            {get, 401, `{"code":401,"message":"no"}`, sandboxclient.CodeUnauthenticated, ""},
		"forbidden":          {create, 403, `{"code":403,"message":"no"}`, sandboxclient.CodePermissionDenied, ""},
		"bad timeout":        {create, 400, `{"code":400,"message":"Timeout cannot be greater than 1 hours"}`, sandboxclient.CodeInvalidArgument, ""},
		"quota":              {create, 429, `{"code":429,"message":"maximum number of concurrent E2B sandboxes"}`, sandboxclient.CodeQuotaExceeded, ""},
		"already paused":     {pause, 409, `{"code":409,"message":"already paused"}`, sandboxclient.CodeConflict, ""},
		"create failed":      {create, 500, `{"code":500,"message":"Failed to place sandbox"}`, sandboxclient.CodeOutcomeUnknown, ""},
		"create at gateway":  {create, 504, `upstream request timeout`, sandboxclient.CodeOutcomeUnknown, ""},
		"not implemented":    {create, 501, `{"code":501,"message":"no"}`, sandboxclient.CodeUnsupported, ""},
		"method not allowed": {create, 405, ``, sandboxclient.CodeUnsupported, ""},
		"no JSON":            {get, 200, `<html>`, sandboxclient.CodeOutcomeUnknown, ""},
		"no id":              {create, 201, `{}`, sandboxclient.CodeOutcomeUnknown, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := test.call((&scripted{t: t, answer: status(test.status, test.body)}).client())
			e, ok := err.(*sandboxclient.Error) //nolint:errorlint // the exact type is promised
			if !ok || e.Code != test.code || e.Resource != test.resource {
				t.Errorf("got %#v, want %s %s", err, test.code, test.resource)
			}
			if strings.Contains(err.Error(), testKey) || strings.Contains(err.Error(), "<html>") {
				t.Errorf("the text is %q", err)
			}
		})
	}
}

func TestListReadsAllPages(t *testing.T) {
	t.Parallel()
	var queries []url.Values
	s := &scripted{t: t, answer: func(w http.ResponseWriter, r *http.Request) {
		queries = append(queries, r.URL.Query())
		if token := r.URL.Query().Get("nextToken"); token == "" {
			w.Header().Set(api.HeaderNextToken, "second")
			_, _ = io.WriteString(w, `[{"sandboxID":"a","state":"running"},{"sandboxID":"b","state":"never heard of"}]`)
		} else {
			_, _ = io.WriteString(w, `[{"sandboxID":"c","state":"paused"}]`)
		}
	}}
	var got []string
	for info, err := range s.client().List(t.Context(), &sandboxclient.ListOptions{
		Metadata: map[string]string{"user": "a b", "app": "ü&="}, States: []api.State{api.StateRunning, api.StatePaused}, PageSize: 2,
	}) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, info.SandboxID+" "+string(info.State))
	}
	if want := "a running,b never heard of,c paused"; strings.Join(got, ",") != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if len(queries) != 2 || queries[0].Get("state") != "running,paused" || queries[0].Get("limit") != "2" || queries[1].Get("nextToken") != "second" {
		t.Errorf("queries %v", queries)
	}
	// As a server reads it: a query string, whose keys and values are escaped.
	inner, err := url.ParseQuery(queries[0].Get("metadata"))
	if err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]string{"user": "a b", "app": "ü&="} {
		if value, err := url.QueryUnescape(inner.Get(key)); err != nil || value != want {
			t.Errorf("metadata %s is %q, want %q", key, value, want)
		}
	}
}

func TestListStopsWhenTheCallerDoes(t *testing.T) {
	t.Parallel()
	calls := 0
	s := &scripted{t: t, answer: func(w http.ResponseWriter, _ *http.Request) {
		calls++
		w.Header().Set(api.HeaderNextToken, "more")
		_, _ = io.WriteString(w, `[{"sandboxID":"a"}]`)
	}}
	for range s.client().List(t.Context(), nil) {
		break
	}
	if calls != 1 {
		t.Errorf("%d pages were fetched", calls)
	}
}

func TestOptionsBelongTogether(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		opts sandboxclient.Options
		want string // part of the error; "" is none
	}{
		"nothing":             {sandboxclient.Options{}, ""},
		"a domain":            {sandboxclient.Options{Domain: "cn-hangzhou.e2b.fc.aliyuncs.com"}, ""},
		"a base URL":          {sandboxclient.Options{APIURL: "https://api.cn-hangzhou.e2b.fc.aliyuncs.com"}, ""},
		"no api. in front":    {sandboxclient.Options{APIURL: "https://gateway.example"}, "set Domain or SandboxURL"},
		"gateway for all":     {sandboxclient.Options{APIURL: "https://gateway.example", SandboxURL: "https://data.example"}, ""},
		"plain http":          {sandboxclient.Options{APIURL: "http://api.example.com"}, "AllowInsecure"},
		"plain http, allowed": {sandboxclient.Options{APIURL: "http://api.example.com", AllowInsecure: true}, ""},
		"loopback":            {sandboxclient.Options{APIURL: "http://127.0.0.1:3000"}, ""},
		"loopback v6":         {sandboxclient.Options{APIURL: "http://[::1]:3000"}, ""},
		"local data plane":    {sandboxclient.Options{APIURL: "https://api.example.com", SandboxURL: "http://10.0.0.1"}, "SandboxURL"},
		"no scheme":           {sandboxclient.Options{APIURL: "api.example.com"}, "APIURL"},
		"other scheme":        {sandboxclient.Options{APIURL: "ftp://api.example.com"}, "APIURL"},
		"user in URL":         {sandboxclient.Options{APIURL: "https://me:secret@api.example.com"}, "APIURL"},
		"domain with scheme":  {sandboxclient.Options{Domain: "https://e2b.app"}, "Domain"},
	} {
		_, err := sandboxclient.New(testKey, &test.opts)
		if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%s: got %v, want %q", name, err, test.want)
		}
		if err != nil && strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: the error shows the password", name)
		}
	}
}

func TestNewRefusesUnusableKeys(t *testing.T) {
	t.Parallel()
	for _, key := range []string{"", "x y", "xyz\n", "schlüssel"} {
		_, err := sandboxclient.New(key, nil)
		if sandboxclient.CodeOf(err) != sandboxclient.CodeInvalidArgument || key != "" && strings.Contains(err.Error(), key) {
			t.Errorf("New(%q) = %v, want invalid_argument", key, err)
		}
	}
}

func TestNewFromEnv(t *testing.T) {
	t.Setenv("X_API_KEY", testKey)
	t.Setenv("X_API_URL", "https://gateway.example")
	if _, err := sandboxclient.NewFromEnv("X", nil); err == nil {
		t.Error("an API URL that says no domain was accepted")
	}
	t.Setenv("X_DOMAIN", "example.com")
	if _, err := sandboxclient.NewFromEnv("X", nil); err != nil {
		t.Error(err)
	}
	if _, err := sandboxclient.NewFromEnv("Y", nil); err == nil || !strings.Contains(err.Error(), "Y_API_KEY") {
		t.Errorf("got %v", err)
	}
}
