package fcdeploy_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agentsandbox/agent-sandbox/fcdeploy"
	"github.com/agentsandbox/agent-sandbox/fcdeploy/fc2"
	"github.com/agentsandbox/agent-sandbox/fcdeploy/fc3"
	"github.com/agentsandbox/agent-sandbox/fcdeploy/fctest"
)

const quick = time.Millisecond

// stage is an emulator with a driver in front of it.
type stage struct {
	t      *testing.T
	fc     *fctest.Server
	driver fcdeploy.Driver
	spec   fcdeploy.Spec
	code   *fcdeploy.Code
	opts   fcdeploy.PlanOptions
}

func newStage(t *testing.T, api fcdeploy.API, opts *fctest.Options) *stage {
	t.Helper()
	server := fctest.NewServer(opts)
	t.Cleanup(func() {
		if err := server.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	code, err := fcdeploy.PackCode(fcdeploy.FlavorBinary, linuxProgram())
	if err != nil {
		t.Fatal(err)
	}
	return &stage{
		t: t, fc: server, driver: newDriver(t, api, server), code: code,
		spec: fcdeploy.Spec{FCAPI: api, Server: fcdeploy.ServerSettings{AuthToken: testToken, SandboxAPIKey: testKey}},
		opts: fcdeploy.PlanOptions{Poll: quick, Timeout: 5 * time.Second},
	}
}

func newDriver(t *testing.T, api fcdeploy.API, server *fctest.Server) fcdeploy.Driver {
	t.Helper()
	var driver fcdeploy.Driver
	var err error
	if api == fcdeploy.API2 {
		driver, err = fc2.New(&fc2.Options{Endpoint: server.URL, AccountID: "1234567890123456", RetryDelay: quick})
	} else {
		driver, err = fc3.New(&fc3.Options{Endpoint: server.URL, RetryDelay: quick})
	}
	if err != nil {
		t.Fatal(err)
	}
	return driver
}

func (s *stage) plan() (*fcdeploy.Plan, error) {
	return fcdeploy.MakePlan(s.t.Context(), s.driver, s.spec, s.code, &s.opts)
}

func (s *stage) steps() []string {
	s.t.Helper()
	plan, err := s.plan()
	if err != nil {
		s.t.Fatal(err)
	}
	return describe(plan)
}

func describe(plan *fcdeploy.Plan) []string {
	var steps []string
	for _, step := range plan.Steps {
		var fields []string
		for _, change := range step.Changes {
			fields = append(fields, change.Field)
		}
		steps = append(steps, strings.TrimSpace(fmt.Sprintf("%s %s %s", step.Action, step.Resource, strings.Join(fields, ","))))
	}
	return steps
}

func (s *stage) apply() *fcdeploy.Deployment {
	s.t.Helper()
	deployment, err := s.tryApply()
	if err != nil {
		s.t.Fatal(err)
	}
	return deployment
}

func (s *stage) tryApply() (*fcdeploy.Deployment, error) {
	plan, err := s.plan()
	if err != nil {
		return nil, err
	}
	return fcdeploy.Apply(s.t.Context(), plan)
}

func (s *stage) undeploy(d *fcdeploy.Deployment) {
	s.t.Helper()
	plan, err := fcdeploy.PlanUndeploy(s.t.Context(), s.driver, d, &s.opts)
	if err == nil {
		err = fcdeploy.Undeploy(s.t.Context(), plan)
	}
	if err != nil {
		s.t.Fatal(err)
	}
}

func (s *stage) want(what string, got, want []string) {
	s.t.Helper()
	if !slices.Equal(got, want) {
		s.t.Errorf("%s:\n got %q\nwant %q", what, got, want)
	}
}

// eachAPI runs a test with both drivers, one after the other: the older SDK
// keeps its connections in package variables.
func eachAPI(t *testing.T, test func(t *testing.T, api fcdeploy.API)) {
	t.Helper()
	for _, api := range []fcdeploy.API{fcdeploy.API3, fcdeploy.API2} {
		t.Run("FC "+string(api), func(t *testing.T) { test(t, api) })
	}
}

func TestDeployRedeployUndeploy(t *testing.T) {
	eachAPI(t, func(t *testing.T, api fcdeploy.API) {
		s := newStage(t, api, &fctest.Options{ReadyAfter: 2, URLAfter: 2})
		s.want("plan", s.steps(), []string{"create function agent-sandbox-mcp", "create trigger httpTrigger"})
		if len(s.fc.Mutations()) > 0 {
			t.Fatalf("a plan changed something: %v", s.fc.Mutations())
		}
		first := s.apply()
		if first.Endpoint == "" || !strings.HasSuffix(first.Endpoint, "/mcp") || first.Checksum != s.code.CRC64 {
			t.Errorf("deployment: %+v", first)
		}
		s.fc.ResetRequests()
		second := s.apply()
		s.want("mutations of a second apply", s.fc.Mutations(), nil)
		if *second != *first {
			t.Errorf("second apply: %+v, want %+v", second, first)
		}
		s.undeploy(first)
		if !s.fc.Empty() {
			t.Errorf("left: %v", s.fc.Functions())
		}
		s.fc.ResetRequests()
		s.undeploy(first)
		s.want("mutations of a second undeploy", s.fc.Mutations(), nil)
	})
}

func TestEveryChangeIsOneUpdate(t *testing.T) {
	eachAPI(t, func(t *testing.T, api fcdeploy.API) {
		s := newStage(t, api, nil)
		s.apply()
		for _, test := range []struct {
			change func()
			step   string
		}{
			{func() { s.spec.MemoryMB, s.spec.CPU = 1024, 0.5 }, "update function agent-sandbox-mcp memory"},
			{func() { s.spec.Timeout = time.Minute }, "update function agent-sandbox-mcp timeout"},
			{func() { s.spec.InstanceConcurrency = 50 }, "update function agent-sandbox-mcp instance concurrency"},
			{func() { s.spec.Server.AuthToken = "rotated" }, "update function agent-sandbox-mcp environment ABX_MCP_AUTH_TOKEN"},
			{func() { s.spec.Server.BaseURL = "https://api.example.com" }, "update function agent-sandbox-mcp environment ABX_SANDBOX_BASE_URL"},
			{func() { s.spec.Server.BaseURL = "" }, "update function agent-sandbox-mcp environment ABX_SANDBOX_BASE_URL"},
			{func() { s.spec.Trigger.Methods = []string{"POST", "GET", "DELETE", "OPTIONS"} }, "update trigger httpTrigger config"},
			{func() { s.code = otherCode(t) }, "update function agent-sandbox-mcp code"},
		} {
			test.change()
			s.want("plan", s.steps(), []string{test.step})
			s.apply()
			s.want("plan after apply", s.steps(), nil)
		}
	})
}

func otherCode(t *testing.T) *fcdeploy.Code {
	t.Helper()
	code, err := fcdeploy.PackCode(fcdeploy.FlavorBinary, append(linuxProgram(), 1, 2, 3))
	if err != nil {
		t.Fatal(err)
	}
	return code
}

func TestOnlyFC3(t *testing.T) {
	t.Parallel()
	s := newStage(t, fcdeploy.API3, nil)
	s.apply()
	for _, test := range []struct {
		change func()
		steps  []string
	}{
		{func() { s.spec.Session.PerInstance = 5 }, []string{"update function agent-sandbox-mcp session limits"}},
		{func() { s.spec.Affinity = fcdeploy.AffinityNone }, []string{"update function agent-sandbox-mcp session affinity,session limits,environment ABX_MCP_SESSION_AFFINITY,environment ABX_MCP_SESSION_STATE"}},
		{func() { s.spec.Affinity = fcdeploy.AffinityMCPStreamable }, []string{"update function agent-sandbox-mcp session affinity,session limits,environment ABX_MCP_SESSION_AFFINITY,environment ABX_MCP_SESSION_STATE"}},
		{func() { s.spec.MinInstances = 1 }, []string{"update scaling rule of agent-sandbox-mcp minimum instances"}},
		{func() { s.spec.MinInstances = 0 }, []string{"delete scaling rule of agent-sandbox-mcp minimum instances"}},
	} {
		test.change()
		s.want("plan", s.steps(), test.steps)
		s.apply()
		s.want("plan after apply", s.steps(), nil)
	}
}

// The certificate is asked for in tests by its text only.
func (s *stage) domain(cert string) *fcdeploy.CustomDomain {
	s.fc.SetCNAME("mcp.example.com", s.fc.CNAMETarget())
	d := &fcdeploy.CustomDomain{Name: "mcp.example.com"}
	if cert != "" {
		d.Certificate, d.PrivateKey = []byte(cert), "private-"+fcdeploy.Secret(cert)
	}
	return d
}

func TestCustomDomain(t *testing.T) {
	t.Parallel()
	s := newStage(t, fcdeploy.API3, nil)
	s.spec.Domain = s.domain("")
	s.want("plan", s.steps(), []string{"create function agent-sandbox-mcp", "create trigger httpTrigger", "create domain mcp.example.com"})
	first := s.apply()
	if first.DomainEndpoint != "http://mcp.example.com/mcp" || !first.DomainCreated {
		t.Errorf("deployment: %+v", first)
	}
	s.opts.Known = first
	s.want("plan after apply", s.steps(), nil)
	s.spec.Domain = s.domain("CERTIFICATE")
	s.want("plan with a certificate", s.steps(), []string{"update domain mcp.example.com certificate,protocol"})
	second := s.apply()
	s.want("plan after apply", s.steps(), nil)

	// A second function on another path survives, and keeps the domain.
	other := newDriver(t, fcdeploy.API3, s.fc).(fcdeploy.DomainDriver)
	s.addRoute(other, fcdeploy.Route{Path: "/other", Function: "agent-sandbox-mcp2"})
	s.undeploy(second)
	left, err := other.CustomDomain(t.Context(), "mcp.example.com")
	if err != nil || len(left.Routes) != 1 || left.Routes[0].Path != "/other" || left.Certificate != "CERTIFICATE" {
		t.Errorf("domain after undeploy: %+v, %v", left, err)
	}
}

// addRoute makes a second function and routes to it.
func (s *stage) addRoute(driver fcdeploy.DomainDriver, route fcdeploy.Route) {
	s.t.Helper()
	second := *s
	second.spec.Name, second.spec.Domain = route.Function, nil
	second.apply()
	domain, err := driver.CustomDomain(s.t.Context(), "mcp.example.com")
	if err != nil {
		s.t.Fatal(err)
	}
	domain.Routes, domain.Certificate = append(domain.Routes, route), ""
	if err := driver.UpdateDomain(s.t.Context(), domain); err != nil {
		s.t.Fatal(err)
	}
	s.want("our plan beside the other route", s.steps(), nil)
}

func TestUndeployRemovesOurDomain(t *testing.T) {
	t.Parallel()
	s := newStage(t, fcdeploy.API3, nil)
	s.spec.Domain, s.spec.MinInstances = s.domain(""), 1
	d := s.apply()
	s.fc.ResetRequests()
	s.undeploy(d)
	s.want("mutations", s.fc.Mutations(), []string{"DeleteCustomDomain", "DeleteTrigger", "DeleteScalingConfig", "DeleteFunction"})
	if !s.fc.Empty() {
		t.Error("something is left")
	}
}

func TestForeignThingsAreLeftAlone(t *testing.T) {
	t.Parallel()
	s := newStage(t, fcdeploy.API3, nil)
	ctx := t.Context()
	foreign := &fcdeploy.Function{Name: "agent-sandbox-mcp", Description: "mine", Runtime: "custom.debian12", Handler: "h", CPU: 0.5, MemoryMB: 512,
		DiskMB: 512, TimeoutSeconds: 60, InstanceConcurrency: 1, Port: 9000}
	if err := s.driver.CreateFunction(ctx, foreign, s.code.Zip); err != nil {
		t.Fatal(err)
	}
	s.fc.ResetRequests()
	_, err := s.plan()
	if _, ok := errors.AsType[*fcdeploy.NotOursError](err); !ok {
		t.Errorf("plan: %v", err)
	}
	_, err = fcdeploy.PlanUndeploy(ctx, s.driver, &fcdeploy.Deployment{Name: "agent-sandbox-mcp"}, nil)
	if _, ok := errors.AsType[*fcdeploy.NotOursError](err); !ok {
		t.Errorf("undeploy: %v", err)
	}
	s.want("mutations", s.fc.Mutations(), nil)
	s.opts.Adopt = true
	s.apply()
	s.opts.Adopt = false
	s.want("plan after adoption", s.steps(), nil)
}

func TestForeignRouteIsLeftAlone(t *testing.T) {
	t.Parallel()
	s := newStage(t, fcdeploy.API3, nil)
	s.spec.Domain = s.domain("")
	s.apply()
	s.spec.Name = "another"
	_, err := s.plan()
	if _, ok := errors.AsType[*fcdeploy.NotOursError](err); !ok || !strings.Contains(err.Error(), "agent-sandbox-mcp") {
		t.Errorf("plan: %v", err)
	}
}

func TestForeignTriggerNameIsUsed(t *testing.T) {
	eachAPI(t, func(t *testing.T, api fcdeploy.API) {
		s := newStage(t, api, nil)
		s.spec.Trigger.Name = "old"
		s.apply()
		s.spec.Trigger.Name = "new"
		s.want("plan", s.steps(), nil)
		s.spec.Trigger.Methods = []string{"POST", "GET", "DELETE", "HEAD"}
		s.want("plan", s.steps(), []string{"update trigger old config"})
		s.apply()
		s.want("plan after apply", s.steps(), nil)
	})
}

func TestBadInputMakesNoCall(t *testing.T) {
	t.Parallel()
	s := newStage(t, fcdeploy.API3, nil)
	for name, change := range map[string]func(*fcdeploy.Spec){
		"name":  func(spec *fcdeploy.Spec) { spec.Name = "1st" },
		"token": func(spec *fcdeploy.Spec) { spec.Server.AuthToken = "" },
		"key":   func(spec *fcdeploy.Spec) { spec.Server.SandboxAPIKey = "" },
		"env":   func(spec *fcdeploy.Spec) { spec.Env = map[string]string{"A": strings.Repeat("x", 5000)} },
	} {
		spec := s.spec
		change(&spec)
		_, err := fcdeploy.MakePlan(t.Context(), s.driver, spec, s.code, &s.opts)
		if _, ok := errors.AsType[*fcdeploy.FieldError](err); !ok {
			t.Errorf("%s: %v", name, err)
		}
	}
	if calls := s.fc.Requests(); len(calls) > 0 {
		t.Errorf("calls: %+v", calls)
	}
}

func TestFaultsOnTheWay(t *testing.T) {
	eachAPI(t, func(t *testing.T, api fcdeploy.API) {
		lost := fctest.Unavailable("CreateFunction")
		lost.Executed = true
		lostTrigger := fctest.EmptyError("CreateTrigger")
		lostTrigger.Executed = true
		for name, faults := range map[string][]fctest.Fault{
			"throttled":           {fctest.Throttled("GetFunction"), fctest.Throttled("CreateFunction"), fctest.Throttled("CreateTrigger")},
			"gateway":             {fctest.BadGateway("GetFunction"), fctest.BadGateway("CreateFunction"), fctest.BadGateway("ListTriggers")},
			"empty":               {fctest.EmptyError("GetFunction"), fctest.EmptyError("CreateFunction")},
			"lost answer":         {lost},
			"lost trigger answer": {lostTrigger},
		} {
			s := newStage(t, api, nil)
			for _, fault := range faults {
				s.fc.Inject(fault)
			}
			if _, err := s.tryApply(); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			s.want(name+": plan after apply", s.steps(), nil)
		}
	})
}

func TestErrorsNameWhatIsMissing(t *testing.T) {
	eachAPI(t, func(t *testing.T, api fcdeploy.API) {
		s := newStage(t, api, nil)
		s.fc.Inject(fctest.AccessDenied("CreateFunction"))
		_, err := s.tryApply()
		if !fcdeploy.IsDenied(err) || !strings.Contains(err.Error(), "permission fc:CreateFunction") {
			t.Errorf("denied: %v", err)
		}
		for range 4 {
			s.fc.Inject(fctest.BadGateway("GetFunction"))
		}
		if _, err := s.tryApply(); err == nil {
			t.Error("four failures in a row were not reported")
		}
	})
}

func TestUnresolvedDomainIsExplained(t *testing.T) {
	t.Parallel()
	s := newStage(t, fcdeploy.API3, nil)
	s.spec.Domain = &fcdeploy.CustomDomain{Name: "mcp.example.com"}
	_, err := s.tryApply()
	if err == nil || !strings.Contains(err.Error(), "CNAME") || !strings.Contains(err.Error(), s.fc.CNAMETarget()) {
		t.Errorf("got %v", err)
	}
}

func TestSlowReadinessHasAnEnd(t *testing.T) {
	t.Parallel()
	s := newStage(t, fcdeploy.API3, &fctest.Options{ReadyAfter: 1 << 30})
	s.opts.Timeout = 50 * time.Millisecond
	if _, err := s.tryApply(); err == nil || !strings.Contains(err.Error(), "not ready") {
		t.Errorf("got %v", err)
	}
}

func TestCancelledApply(t *testing.T) {
	eachAPI(t, func(t *testing.T, api fcdeploy.API) {
		s := newStage(t, api, nil)
		slow := fctest.Unavailable("GetFunction")
		slow.Delay = 2 * time.Second
		s.fc.Inject(slow)
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		begun := time.Now()
		_, err := fcdeploy.MakePlan(ctx, s.driver, s.spec, s.code, &s.opts)
		if !errors.Is(err, context.DeadlineExceeded) || time.Since(begun) > time.Second {
			t.Errorf("after %v: %v", time.Since(begun), err)
		}
	})
}

// A newer compressor makes other bytes of the same files.
func TestRecompressedCodeIsNotUploaded(t *testing.T) {
	t.Parallel()
	s := newStage(t, fcdeploy.API3, nil)
	s.opts.Known = s.apply()
	again := *s.code
	again.CRC64 = "1"
	s.code = &again
	s.want("plan", s.steps(), nil)
	s.opts.Known = nil
	s.want("plan without a record", s.steps(), []string{"update function agent-sandbox-mcp code"})
}

func TestPlanAndRecordHoldNoSecret(t *testing.T) {
	t.Parallel()
	s := newStage(t, fcdeploy.API3, nil)
	deployment := s.apply()
	s.spec.Server.AuthToken, s.spec.Server.SandboxAPIKey = "new-secret-token", "new-secret-key"
	plan, err := s.plan()
	if err != nil {
		t.Fatal(err)
	}
	planText, err := json.Marshal(plan)
	if err != nil {
		t.Fatal(err)
	}
	recordText, err := json.Marshal(deployment)
	if err != nil {
		t.Fatal(err)
	}
	text := string(planText) + string(recordText) + fmt.Sprintf("%v %+v", plan.Steps, deployment)
	for _, secret := range []string{testToken, testKey, "new-secret"} {
		if strings.Contains(text, secret) {
			t.Errorf("%q in %s", secret, text)
		}
	}
}
