package fctest_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agentsandbox/agent-sandbox/fcdeploy/fctest"
)

func TestSignatureIsChecked(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		prepare func(*caller)
		code    string
	}{
		"wrong secret":   {func(c *caller) { c.secret = "other" }, "SignatureDoesNotMatch"},
		"changed header": {func(c *caller) { c.edit = func(r *http.Request) { r.Header.Set("content-type", "text/plain") } }, "SignatureDoesNotMatch"},
		"changed path":   {func(c *caller) { c.edit = func(r *http.Request) { r.URL.Path += "2" } }, "SignatureDoesNotMatch"},
		"added query":    {func(c *caller) { c.edit = func(r *http.Request) { r.URL.RawQuery = "qualifier=LATEST" } }, "SignatureDoesNotMatch"},
		"no signature":   {func(c *caller) { c.edit = func(r *http.Request) { r.Header.Del("Authorization") } }, "MissingAuthorization"},
		"unknown key": {func(c *caller) {
			c.edit = func(r *http.Request) {
				r.Header.Set("Authorization", strings.Replace(r.Header.Get("Authorization"), "test-access", "best-access", 1))
			}
		}, "InvalidAccessKeyId.NotFound"},
		"old date": {func(c *caller) {
			c.edit = func(r *http.Request) {
				r.Header.Set("x-acs-date", time.Now().Add(-20*time.Minute).UTC().Format("2006-01-02T15:04:05Z"))
			}
		}, "InvalidTimeStamp.Expired"},
		"header not signed": {func(c *caller) {
			c.edit = func(r *http.Request) {
				r.Header.Set("Authorization", strings.Replace(r.Header.Get("Authorization"), "x-acs-date;", "", 1))
			}
		}, "IncompleteSignature"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newCaller(t, nil)
			test.prepare(c)
			if a := c.call("GET", "/functions/echo", "GetFunction", nil); a.code() != test.code {
				t.Errorf("got %d %s, want %s", a.status, a.text, test.code)
			}
		})
	}
}

func TestNonceIsUsedOnce(t *testing.T) {
	t.Parallel()
	c := newCaller(t, nil)
	var first *http.Request
	c.edit = func(r *http.Request) { first = r.Clone(t.Context()) }
	c.call("GET", "/functions/echo", "GetFunction", nil)
	c.edit = nil
	if a := c.send(first); a.code() != "SignatureNonceUsed" {
		t.Errorf("replay: %d %s", a.status, a.text)
	}
}

func TestSecurityTokenIsDemanded(t *testing.T) {
	t.Parallel()
	c := newCaller(t, &fctest.Options{SecurityToken: "sts"})
	if a := c.call("GET", "/functions/echo", "GetFunction", nil); a.code() != "InvalidSecurityToken" {
		t.Errorf("3.0: %d %s", a.status, a.text)
	}
	if a := c.call2("GET", "/services/s", nil); a.code() != "InvalidSecurityToken" {
		t.Errorf("2.0: %d %s", a.status, a.text)
	}
}

func TestActionMustMatchThePath(t *testing.T) {
	t.Parallel()
	c := newCaller(t, nil)
	if a := c.call("GET", "/functions/echo", "DeleteFunction", nil); a.code() != "InvalidArgument" {
		t.Errorf("got %d %s", a.status, a.text)
	}
	if a := c.call("GET", "/nonsense", "GetFunction", nil); a.status != http.StatusNotFound {
		t.Errorf("got %d %s", a.status, a.text)
	}
}

func TestFunctionLimits(t *testing.T) {
	t.Parallel()
	plain, err := packZip(0o644, []byte("\x7fELF"))
	if err != nil {
		t.Fatal(err)
	}
	text, err := packZip(0o755, []byte("MZ not for Linux"))
	if err != nil {
		t.Fatal(err)
	}
	tests := map[string]map[string]any{
		"name":            {"functionName": "1st"},
		"no handler":      {"handler": nil},
		"runtime":         {"runtime": "custom.debian99"},
		"memory step":     {"memorySize": 500},
		"ratio":           {"cpu": 1},
		"cpu step":        {"cpu": 0.33},
		"cpu alone":       {"memorySize": nil},
		"disk":            {"diskSize": 600},
		"timeout":         {"timeout": 0},
		"concurrency":     {"instanceConcurrency": 201},
		"env size":        {"environmentVariables": map[string]string{"A": strings.Repeat("x", 4096)}},
		"env reserved":    {"environmentVariables": map[string]string{"FC_REGION": "x"}},
		"env name":        {"environmentVariables": map[string]string{"A-B": "x"}},
		"affinity":        {"sessionAffinity": "STICKY"},
		"affinity object": {"sessionAffinityConfig": map[string]any{"sessionConcurrencyPerInstance": 1}},
		"sessions > reqs": {"sessionAffinityConfig": `{"sessionConcurrencyPerInstance":11}`},
		"unknown member":  {"memory": 512},
		"no code":         {"code": nil},
		"not base64":      {"code": map[string]any{"zipFile": "%%%"}},
		"not a zip":       {"code": zipFile([]byte("text"))},
		"no exec bit":     {"code": zipFile(plain)},
		"not an ELF":      {"code": zipFile(text)},
		"wrong checksum":  {"code": object(tinyCode(t), map[string]any{"checksum": "1"})},
	}
	for name, changes := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newCaller(t, nil)
			a := c.call("POST", "/functions", "CreateFunction", functionBody(t, changes))
			if a.status != http.StatusBadRequest || a.code() != "InvalidArgument" || a.body["RequestId"] == nil {
				t.Errorf("got %d %s", a.status, a.text)
			}
			if !c.server.Empty() {
				t.Error("something was created")
			}
		})
	}
}

func TestFunctionLife(t *testing.T) {
	t.Parallel()
	c := newCaller(t, &fctest.Options{ReadyAfter: 2})
	body := functionBody(t, map[string]any{"environmentVariables": map[string]string{"A": "1"}, "layers": nil})
	created := c.must(c.call("POST", "/functions", "CreateFunction", body))
	if created.body["functionArn"] != "acs:fc:cn-hangzhou:1234567890123456:functions/echo" || created.body["code"] != nil {
		t.Errorf("created: %s", created.text)
	}
	if a := c.call("POST", "/functions", "CreateFunction", body); a.status != http.StatusConflict || a.code() != "FunctionAlreadyExists" {
		t.Errorf("second create: %d %s", a.status, a.text)
	}
	var states []any
	for range 3 {
		states = append(states, c.must(c.call("GET", "/functions/echo", "GetFunction", nil)).body["lastUpdateStatus"])
	}
	if !slices.Equal(states, []any{"InProgress", "InProgress", "Successful"}) {
		t.Errorf("states: %v", states)
	}
	updated := c.must(c.call("PUT", "/functions/echo", "UpdateFunction", map[string]any{"timeout": 90, "environmentVariables": nil, "code": nil}))
	if updated.body["timeout"] != 90.0 || updated.body["environmentVariables"] == nil || updated.body["codeChecksum"] != created.body["codeChecksum"] {
		t.Errorf("update does not merge: %s", updated.text)
	}
	cleared := c.must(c.call("PUT", "/functions/echo", "UpdateFunction", map[string]any{"environmentVariables": map[string]string{}}))
	if env := cleared.body["environmentVariables"].(map[string]any); len(env) != 0 {
		t.Errorf("environment is left: %v", env)
	}
	c.must(c.call("DELETE", "/functions/echo", "DeleteFunction", nil))
	if a := c.call("GET", "/functions/echo", "GetFunction", nil); a.code() != "FunctionNotFound" || a.status != http.StatusNotFound {
		t.Errorf("after delete: %d %s", a.status, a.text)
	}
}

func TestTriggerLife(t *testing.T) {
	t.Parallel()
	c := newCaller(t, &fctest.Options{URLAfter: 2})
	c.must(c.call("POST", "/functions", "CreateFunction", functionBody(t, nil)))
	for name, changes := range map[string]map[string]any{
		"config object": {"triggerConfig": map[string]any{"authType": "anonymous"}},
		"no methods":    {"triggerConfig": `{"authType":"anonymous","methods":[]}`},
		"method":        {"triggerConfig": `{"methods":["BREW"]}`},
		"auth":          {"triggerConfig": `{"authType":"none","methods":["GET"]}`},
		"name":          {"triggerName": "a b"},
		"type":          {"triggerType": "timer"},
	} {
		if a := c.call("POST", "/functions/echo/triggers", "CreateTrigger", object(triggerBody(), changes)); a.code() != "InvalidArgument" {
			t.Errorf("%s: %d %s", name, a.status, a.text)
		}
	}
	if a := c.must(c.call("POST", "/functions/echo/triggers", "CreateTrigger", triggerBody())); a.body["httpTrigger"] != nil {
		t.Errorf("URL is there at once: %s", a.text)
	}
	other := object(triggerBody(), map[string]any{"triggerName": "second"})
	if a := c.call("POST", "/functions/echo/triggers", "CreateTrigger", other); a.code() != "TriggerAlreadyExists" {
		t.Errorf("second trigger: %d %s", a.status, a.text)
	}
	c.must(c.call("GET", "/functions/echo/triggers/http", "GetTrigger", nil))
	if a := c.must(c.call("GET", "/functions/echo/triggers/http", "GetTrigger", nil)); a.body["httpTrigger"] == nil {
		t.Errorf("no URL after two reads: %s", a.text)
	}
	if a := c.call("PUT", "/functions/echo/triggers/http", "UpdateTrigger", map[string]any{"triggerName": "new"}); a.code() != "InvalidArgument" {
		t.Errorf("rename: %d %s", a.status, a.text)
	}
	if a := c.call("DELETE", "/functions/echo", "DeleteFunction", nil); a.status != http.StatusConflict {
		t.Errorf("delete of a function with a trigger: %d %s", a.status, a.text)
	}
	c.must(c.call("DELETE", "/functions/echo/triggers/http", "DeleteTrigger", nil))
	if a := c.call("DELETE", "/functions/echo/triggers/http", "DeleteTrigger", nil); a.code() != "TriggerNotFound" {
		t.Errorf("second delete: %d %s", a.status, a.text)
	}
}

func TestDomainLife(t *testing.T) {
	t.Parallel()
	c := newCaller(t, nil)
	body := map[string]any{"domainName": "mcp.example.com", "protocol": "HTTP",
		"routeConfig": map[string]any{"routes": []any{map[string]any{"path": "/*", "functionName": "echo", "qualifier": "LATEST"}}}}
	if a := c.call("POST", "/custom-domains", "CreateCustomDomain", body); a.code() != "FunctionNotFound" {
		t.Errorf("route to nothing: %d %s", a.status, a.text)
	}
	c.must(c.call("POST", "/functions", "CreateFunction", functionBody(t, nil)))
	if a := c.call("POST", "/custom-domains", "CreateCustomDomain", body); a.code() != "DomainNameNotResolved" || !strings.Contains(a.text, c.server.CNAMETarget()) {
		t.Errorf("no CNAME: %d %s", a.status, a.text)
	}
	c.server.SetCNAME("mcp.example.com", c.server.CNAMETarget())
	for name, changes := range map[string]map[string]any{
		"name": {"domainName": "localhost"}, "protocol": {"protocol": "FTP"}, "no certificate": {"protocol": "HTTPS"},
	} {
		if a := c.call("POST", "/custom-domains", "CreateCustomDomain", object(body, changes)); a.code() != "InvalidArgument" {
			t.Errorf("%s: %d %s", name, a.status, a.text)
		}
	}
	secure := object(body, map[string]any{"protocol": "HTTPS", "certConfig": map[string]any{"certName": "c", "certificate": "PEM", "privateKey": "very-secret"}})
	if a := c.must(c.call("POST", "/custom-domains", "CreateCustomDomain", secure)); strings.Contains(a.text, "very-secret") {
		t.Errorf("the private key is shown: %s", a.text)
	}
	replaced := c.must(c.call("PUT", "/custom-domains/mcp.example.com", "UpdateCustomDomain", map[string]any{"routeConfig": map[string]any{"routes": []any{}}}))
	if routes := replaced.body["routeConfig"].(map[string]any)["routes"].([]any); len(routes) != 0 {
		t.Errorf("routes were merged: %v", routes)
	}
	c.must(c.call("DELETE", "/custom-domains/mcp.example.com", "DeleteCustomDomain", nil))
	if a := c.call("GET", "/custom-domains/mcp.example.com", "GetCustomDomain", nil); a.code() != "DomainNameNotFound" {
		t.Errorf("after delete: %d %s", a.status, a.text)
	}
}

func TestScalingKeepsTheFunction(t *testing.T) {
	t.Parallel()
	c := newCaller(t, nil)
	c.must(c.call("POST", "/functions", "CreateFunction", functionBody(t, nil)))
	if a := c.call("PUT", "/functions/echo/scaling-config", "PutScalingConfig", map[string]any{"minInstances": -1}); a.code() != "InvalidArgument" {
		t.Errorf("negative: %d %s", a.status, a.text)
	}
	c.must(c.call("PUT", "/functions/echo/scaling-config", "PutScalingConfig", map[string]any{"minInstances": 1}))
	if a := c.call("DELETE", "/functions/echo", "DeleteFunction", nil); a.code() != "ResidentScalingConfigExists" {
		t.Errorf("delete: %d %s", a.status, a.text)
	}
	c.must(c.call("DELETE", "/functions/echo/scaling-config", "DeleteScalingConfig", nil))
	c.must(c.call("DELETE", "/functions/echo", "DeleteFunction", nil))
}

func TestFaults(t *testing.T) {
	t.Parallel()
	c := newCaller(t, nil)
	for _, test := range []struct {
		fault  fctest.Fault
		status int
		body   string
	}{
		{fctest.Throttled("GetFunction"), 429, `"Code":"Throttling"`},
		{fctest.Unavailable("GetFunction"), 503, "ServiceUnavailable"},
		{fctest.BadGateway("GetFunction"), 502, "<html>"},
		{fctest.EmptyError("GetFunction"), 500, ""},
		{fctest.AccessDenied("GetFunction"), 403, "fc:GetFunction"},
	} {
		c.server.Inject(test.fault)
		if a := c.call("GET", "/functions/echo", "GetFunction", nil); a.status != test.status || !strings.Contains(a.text, test.body) {
			t.Errorf("got %d %s, want %d %s", a.status, a.text, test.status, test.body)
		}
		if a := c.call("GET", "/functions/echo", "GetFunction", nil); a.status != http.StatusNotFound {
			t.Errorf("the fault stays: %d %s", a.status, a.text)
		}
	}
	lost := fctest.Unavailable("CreateFunction")
	lost.Executed = true
	c.server.Inject(lost)
	if a := c.call("POST", "/functions", "CreateFunction", functionBody(t, nil)); a.status != 503 {
		t.Errorf("lost answer: %d", a.status)
	}
	if names := c.server.Functions(); !slices.Equal(names, []string{"echo"}) {
		t.Errorf("functions: %v", names)
	}
}

func TestRequestLog(t *testing.T) {
	t.Parallel()
	c := newCaller(t, nil)
	c.call("GET", "/functions/echo", "GetFunction", nil)
	c.call("DELETE", "/functions/echo", "DeleteFunction", nil)
	if got := c.server.Mutations(); !slices.Equal(got, []string{"DeleteFunction"}) {
		t.Errorf("mutations: %v", got)
	}
	if got := c.server.Requests(); len(got) != 2 || got[0].Path != "/2023-03-30/functions/echo" {
		t.Errorf("requests: %+v", got)
	}
	c.server.ResetRequests()
	if got := c.server.Requests(); len(got) != 0 {
		t.Errorf("after reset: %+v", got)
	}
}

func TestFC2(t *testing.T) {
	t.Parallel()
	c := newCaller(t, nil)
	function := map[string]any{"functionName": "f", "runtime": "custom.debian10", "handler": "index.handler", "memorySize": 512,
		"timeout": 60, "caPort": 9000, "code": tinyCode(t), "layers": nil}
	if a := c.call2("POST", "/services/s/functions", function); a.code() != "ServiceNotFound" {
		t.Errorf("no service: %d %s", a.status, a.text)
	}
	c.must(c.call2("POST", "/services", map[string]any{"serviceName": "s"}))
	if a := c.call2("POST", "/services/s/functions", object(function, map[string]any{"sessionAffinity": "MCP_STREAMABLE"})); a.code() != "InvalidArgument" {
		t.Errorf("affinity: %d %s", a.status, a.text)
	}
	c.must(c.call2("POST", "/services/s/functions", function))
	trigger := map[string]any{"triggerName": "http", "triggerType": "http", "triggerConfig": map[string]any{"authType": "anonymous", "methods": []string{"GET", "POST", "DELETE"}}}
	c.must(c.call2("POST", "/services/s/functions/f/triggers", trigger))
	if a := c.call2("DELETE", "/services/s", nil); a.code() != "ServiceNotEmpty" {
		t.Errorf("service with function: %d %s", a.status, a.text)
	}
	if a := c.call2("DELETE", "/services/s/functions/f", nil); a.code() != "FunctionNotEmpty" {
		t.Errorf("function with trigger: %d %s", a.status, a.text)
	}
	c.must(c.call2("DELETE", "/services/s/functions/f/triggers/http", nil))
	c.must(c.call2("DELETE", "/services/s/functions/f", nil))
	c.must(c.call2("DELETE", "/services/s", nil))
	if !c.server.Empty() {
		t.Error("something is left")
	}
	c.secret = "other"
	if a := c.call2("GET", "/services/s", nil); a.code() != "SignatureNotMatch" || a.body["ErrorMessage"] == nil {
		t.Errorf("wrong secret: %d %s", a.status, a.text)
	}
}
