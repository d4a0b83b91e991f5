package fcdeploy_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/agentsandbox/agent-sandbox/fcdeploy"
)

func TestZeroSpecIsValid(t *testing.T) {
	t.Parallel()
	if err := (fcdeploy.Spec{}).Validate(); err != nil {
		t.Fatal(err)
	}
}

func TestDefaults(t *testing.T) {
	t.Parallel()
	s := fcdeploy.Spec{}.WithDefaults()
	if s.Name != "agent-sandbox-mcp" || s.Region != "cn-hangzhou" || s.Server.Template != "base" ||
		s.MemoryMB != 512 || s.CPU != 0.5 || s.Timeout != 600*time.Second || s.Affinity != "MCP_STREAMABLE" {
		t.Errorf("defaults: %+v", s)
	}
	if two := (fcdeploy.Spec{FCAPI: fcdeploy.API2}).WithDefaults(); two.Affinity != fcdeploy.AffinityNone {
		t.Errorf("FC 2.0 has affinity %s", two.Affinity)
	}
}

// Every size that FC has gets a vCPU that FC accepts beside it.
func TestEveryMemoryHasACPU(t *testing.T) {
	t.Parallel()
	for memory := 128; memory <= 32768; memory += 64 {
		if err := (fcdeploy.Spec{MemoryMB: memory}).Validate(); err != nil {
			t.Errorf("%d MB: %v", memory, err)
		}
	}
}

func TestValidateNamesTheField(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		spec  fcdeploy.Spec
		field string
	}{
		"name with space":      {fcdeploy.Spec{Name: "my function"}, "name"},
		"name with digit":      {fcdeploy.Spec{Name: "1st"}, "name"},
		"name too long":        {fcdeploy.Spec{Name: strings.Repeat("a", 65)}, "name"},
		"region":               {fcdeploy.Spec{Region: "Hangzhou"}, "region"},
		"region with a host":   {fcdeploy.Spec{Region: "cn-hangzhou.evil.example"}, "region"},
		"runtime":              {fcdeploy.Spec{Runtime: "python3.10"}, "runtime"},
		"flavor":               {fcdeploy.Spec{Flavor: "ruby"}, "flavor"},
		"api":                  {fcdeploy.Spec{FCAPI: "4.0"}, "fc-api"},
		"memory step":          {fcdeploy.Spec{MemoryMB: 500}, "memory"},
		"memory small":         {fcdeploy.Spec{MemoryMB: 64}, "memory"},
		"memory large":         {fcdeploy.Spec{MemoryMB: 32832}, "memory"},
		"cpu step":             {fcdeploy.Spec{CPU: 0.33}, "cpu"},
		"cpu too much":         {fcdeploy.Spec{MemoryMB: 512, CPU: 1}, "cpu"},
		"cpu too little":       {fcdeploy.Spec{MemoryMB: 4096, CPU: 0.5}, "cpu"},
		"disk":                 {fcdeploy.Spec{DiskMB: 1024}, "disk"},
		"timeout zero":         {fcdeploy.Spec{Timeout: time.Millisecond}, "timeout"},
		"timeout part second":  {fcdeploy.Spec{Timeout: 1500 * time.Millisecond}, "timeout"},
		"timeout over a day":   {fcdeploy.Spec{Timeout: 86401 * time.Second}, "timeout"},
		"affinity":             {fcdeploy.Spec{Affinity: "MCP_SSE"}, "affinity"},
		"affinity on 2.0":      {fcdeploy.Spec{FCAPI: fcdeploy.API2, Affinity: fcdeploy.AffinityMCPStreamable}, "affinity"},
		"concurrency":          {fcdeploy.Spec{InstanceConcurrency: 201}, "instance-concurrency"},
		"sessions over limit":  {fcdeploy.Spec{InstanceConcurrency: 10, Session: fcdeploy.SessionLimits{PerInstance: 11}}, "session-concurrency"},
		"session ttl":          {fcdeploy.Spec{Session: fcdeploy.SessionLimits{TTL: 7 * time.Hour}}, "session-ttl"},
		"session idle":         {fcdeploy.Spec{Session: fcdeploy.SessionLimits{Idle: 7 * time.Hour}}, "session-idle"},
		"min instances":        {fcdeploy.Spec{MinInstances: -1}, "min-instances"},
		"auth type":            {fcdeploy.Spec{Trigger: fcdeploy.Trigger{AuthType: "none"}}, "auth-type"},
		"methods":              {fcdeploy.Spec{Trigger: fcdeploy.Trigger{Methods: []string{"POST"}}}, "methods"},
		"trigger name":         {fcdeploy.Spec{Trigger: fcdeploy.Trigger{Name: "-"}}, "trigger-name"},
		"domain":               {fcdeploy.Spec{Domain: &fcdeploy.CustomDomain{Name: "localhost"}}, "custom-domain"},
		"domain with path":     {fcdeploy.Spec{Domain: &fcdeploy.CustomDomain{Name: "a.example.com/mcp"}}, "custom-domain"},
		"certificate, no key":  {fcdeploy.Spec{Domain: &fcdeploy.CustomDomain{Name: "a.example.com", Certificate: []byte("pem")}}, "custom-domain"},
		"domain on 2.0":        {fcdeploy.Spec{FCAPI: fcdeploy.API2, Domain: &fcdeploy.CustomDomain{Name: "a.example.com"}}, "custom-domain"},
		"env over 4 KB":        {fcdeploy.Spec{Env: map[string]string{"BIG": strings.Repeat("x", 4096)}}, "env"},
		"env reserved":         {fcdeploy.Spec{Env: map[string]string{"FC_REGION": "x"}}, "env"},
		"env name":             {fcdeploy.Spec{Env: map[string]string{"A-B": "x"}}, "env"},
		"env name underscore":  {fcdeploy.Spec{Env: map[string]string{"_A": "x"}}, "env"},
		"env with a NUL":       {fcdeploy.Spec{Env: map[string]string{"A": "x\x00y"}}, "env"},
		"token alone too long": {fcdeploy.Spec{Server: fcdeploy.ServerSettings{AuthToken: fcdeploy.Secret(strings.Repeat("t", 4090))}}, "env"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := test.spec.Validate()
			var field *fcdeploy.FieldError
			if !errors.As(err, &field) || field.Field != test.field {
				t.Fatalf("got %v, want an error of field %q", err, test.field)
			}
		})
	}
}

func TestValidateReportsAllAtOnce(t *testing.T) {
	t.Parallel()
	err := fcdeploy.Spec{Name: "1", MemoryMB: 1, Timeout: -time.Second}.Validate()
	for _, field := range []string{"name:", "memory:", "timeout:"} {
		if !strings.Contains(err.Error(), field) {
			t.Errorf("%v does not name %s", err, field)
		}
	}
}

func TestEnvLimitIsExact(t *testing.T) {
	t.Parallel()
	spec := fcdeploy.Spec{}.WithDefaults()
	used := 0
	for name, value := range spec.Environment() {
		used += len(name) + len(value)
	}
	fits := strings.Repeat("x", 4096-used-len("PAD"))
	if err := (fcdeploy.Spec{Env: map[string]string{"PAD": fits}}).Validate(); err != nil {
		t.Errorf("4096 bytes refused: %v", err)
	}
	if err := (fcdeploy.Spec{Env: map[string]string{"PAD": fits + "x"}}).Validate(); err == nil {
		t.Error("4097 bytes accepted")
	}
}

func TestCheckRegion(t *testing.T) {
	t.Parallel()
	for _, region := range fcdeploy.Regions() {
		if err := fcdeploy.CheckRegion(region); err != nil {
			t.Error(err)
		}
		if err := (fcdeploy.Spec{Region: region}).Validate(); err != nil {
			t.Error(err)
		}
	}
	if err := fcdeploy.CheckRegion("cn-atlantis"); err == nil || !strings.Contains(err.Error(), "cn-hangzhou") {
		t.Errorf("got %v, want an error that lists the regions", err)
	}
}

func TestEndpoint(t *testing.T) {
	t.Parallel()
	for region, want := range map[string]string{
		"cn-hangzhou":    "fcv3.cn-hangzhou.aliyuncs.com",
		"ap-southeast-5": "fcv3.ap-southeast-5.aliyuncs.com",
		"me-central-1":   "me-central-1.fc.aliyuncs.com",
	} {
		if got := fcdeploy.Endpoint(region); got != want {
			t.Errorf("%s: got %q, want %q", region, got, want)
		}
	}
}

func TestCheckAuth(t *testing.T) {
	t.Parallel()
	full := fcdeploy.ServerSettings{AuthToken: "t", SandboxAPIKey: "k"}
	for name, test := range map[string]struct {
		spec  fcdeploy.Spec
		field string
	}{
		"complete":         {fcdeploy.Spec{Server: full}, ""},
		"no token":         {fcdeploy.Spec{Server: fcdeploy.ServerSettings{SandboxAPIKey: "k"}}, "auth-token-file"},
		"no key":           {fcdeploy.Spec{Server: fcdeploy.ServerSettings{AuthToken: "t"}}, "sandbox-api-key"},
		"signed by FC":     {fcdeploy.Spec{Server: fcdeploy.ServerSettings{SandboxAPIKey: "k"}, Trigger: fcdeploy.Trigger{AuthType: "function"}}, ""},
		"nothing whatever": {fcdeploy.Spec{}, "auth-token-file"},
	} {
		err := test.spec.CheckAuth()
		var field *fcdeploy.FieldError
		if errors.As(err, &field); (err == nil) != (test.field == "") || (field != nil && field.Field != test.field) {
			t.Errorf("%s: got %v, want field %q", name, err, test.field)
		}
	}
}
