package fcdeploy

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
)

// FieldError is one setting that FC would refuse. Field is the name of the
// command-line option for it.
type FieldError struct {
	Field   string
	Problem string
	Fix     string
}

// Error implements error.
func (e *FieldError) Error() string {
	if e.Fix == "" {
		return e.Field + ": " + e.Problem
	}
	return e.Field + ": " + e.Problem + "; " + e.Fix
}

// Limits of FC 3.0 (API reference of CreateFunction and CreateTrigger).
var (
	functionNamePattern = lazyPattern(`^[A-Za-z_][A-Za-z0-9_-]{0,63}$`)
	triggerNamePattern  = lazyPattern(`^[A-Za-z_][A-Za-z0-9_-]{0,127}$`)
	regionPattern       = lazyPattern(`^[a-z]{2}(-[a-z]+)+(-[0-9]+)?$`)
	domainPattern       = lazyPattern(`^([a-z0-9A-Z][-a-z0-9A-Z]{0,62}\.)+[a-zA-Z]{2,}$`)
	envNamePattern      = lazyPattern(`^[A-Za-z][A-Za-z0-9_]*$`)
	customRuntimes      = []string{"custom", "custom.debian10", "custom.debian11", "custom.debian12"}
	triggerMethods      = []string{"GET", "POST", "PUT", "DELETE", "HEAD", "PATCH", "OPTIONS"}
)

// lazyPattern compiles on first use: the package is linked into a program that
// mostly does other things, and starts often.
func lazyPattern(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}

const (
	minMemoryMB    = 128
	maxMemoryMB    = 32768
	memoryStepMB   = 64
	maxTimeout     = 24 * time.Hour
	maxConcurrency = 200
	maxSessionTime = 6 * time.Hour
)

// check collects the field errors of one validation.
type check struct{ errs []error }

func (c *check) fail(field, problem, fix string) {
	c.errs = append(c.errs, &FieldError{Field: field, Problem: problem, Fix: fix})
}

func (c *check) require(ok bool, field, problem, fix string) {
	if !ok {
		c.fail(field, problem, fix)
	}
}

// Validate checks s, with its defaults, against everything that FC is known to
// refuse. All problems are reported at once, each a [*FieldError].
func (s Spec) Validate() error {
	s = s.WithDefaults()
	c := &check{}
	s.checkNames(c)
	s.checkSize(c)
	s.checkTimes(c)
	s.checkAffinity(c)
	s.checkTrigger(c)
	s.checkDomain(c)
	s.checkEnv(c)
	return errors.Join(c.errs...)
}

func (s *Spec) checkNames(c *check) {
	c.require(functionNamePattern().MatchString(s.Name), "name", fmt.Sprintf("%q is not a function name", s.Name),
		"use 1 to 64 letters, digits, _ and -, starting with a letter or _")
	c.require(regionPattern().MatchString(s.Region), "region", fmt.Sprintf("%q is not a region id", s.Region), "for example cn-hangzhou")
	c.require(slices.Contains(customRuntimes, s.Runtime), "runtime", fmt.Sprintf("%q cannot run the server", s.Runtime),
		"use one of "+strings.Join(customRuntimes, ", "))
	c.require(s.Flavor == FlavorBinary || s.Flavor == FlavorPython, "flavor", fmt.Sprintf("%q is unknown", s.Flavor), "use binary or python")
	c.require(s.Flavor != FlavorPython || s.FCAPI != API2, "flavor", "FC 2.0 cannot start app.py", "use binary with FC 2.0")
	c.require(s.FCAPI == API3 || s.FCAPI == API2, "fc-api", fmt.Sprintf("%q is unknown", s.FCAPI), "use 3.0 or 2.0")
}

// CheckRegion refuses a region that FC is not known to have. It stands apart
// from Validate because a caller that names the endpoint knows better.
func CheckRegion(region string) error {
	if slices.Contains(regions, region) {
		return nil
	}
	return &FieldError{Field: "region", Problem: fmt.Sprintf("FC is not known in %q", region),
		Fix: "use one of " + strings.Join(regions, ", ") + ", or name the API with --endpoint"}
}

func (s *Spec) checkSize(c *check) {
	memoryOK := s.MemoryMB >= minMemoryMB && s.MemoryMB <= maxMemoryMB && s.MemoryMB%memoryStepMB == 0
	c.require(memoryOK, "memory", fmt.Sprintf("%d MB", s.MemoryMB),
		fmt.Sprintf("use a multiple of %d from %d to %d", memoryStepMB, minMemoryMB, maxMemoryMB))
	steps := s.CPU / cpuStep
	cpuOK := s.CPU >= cpuStep && s.CPU <= 16 && math.Abs(steps-math.Round(steps)) < 1e-6
	c.require(cpuOK, "cpu", s.cpuText()+" vCPU", "use a multiple of 0.05 from 0.05 to 16")
	if memoryOK && cpuOK {
		s.checkRatio(c)
	}
	c.require(s.DiskMB == 512 || s.DiskMB == 10240, "disk", fmt.Sprintf("%d MB", s.DiskMB), "use 512 or 10240")
	c.require(s.MinInstances >= 0, "min-instances", fmt.Sprintf("%d is negative", s.MinInstances), "use 0 or more")
}

func (s *Spec) checkRatio(c *check) {
	ratio := float64(s.MemoryMB) / megabytesPerGigabyte / s.CPU
	ok := ratio > minMemoryPerCPU-1e-6 && ratio < maxMemoryPerCPU+1e-6
	c.require(ok, "cpu", fmt.Sprintf("%s vCPU with %d MB is %.2f GB per vCPU, FC allows 1 to 4", s.cpuText(), s.MemoryMB, ratio),
		fmt.Sprintf("leave cpu out to get %v", cpuFor(s.MemoryMB)))
}

func (s *Spec) checkTimes(c *check) {
	seconds := func(field string, d, least, most time.Duration) {
		ok := d >= least && d <= most && d%time.Second == 0
		c.require(ok, field, d.String(), fmt.Sprintf("use whole seconds from %d to %d", int(least.Seconds()), int(most.Seconds())))
	}
	seconds("timeout", s.Timeout, time.Second, maxTimeout)
	seconds("session-ttl", s.Session.TTL, time.Second, maxSessionTime)
	seconds("session-idle", s.Session.Idle, 0, maxSessionTime)
}

func (s *Spec) checkAffinity(c *check) {
	known := s.Affinity == AffinityMCPStreamable || s.Affinity == AffinityNone
	c.require(known, "affinity", fmt.Sprintf("%q does not fit this server", s.Affinity), "use MCP_STREAMABLE or NONE")
	c.require(s.FCAPI != API2 || s.Affinity == AffinityNone, "affinity", "FC 2.0 has no session affinity",
		"use FC 3.0, or --no-session-affinity")
	c.require(s.InstanceConcurrency >= 1 && s.InstanceConcurrency <= maxConcurrency, "instance-concurrency",
		fmt.Sprint(s.InstanceConcurrency), fmt.Sprintf("use 1 to %d", maxConcurrency))
	c.require(s.Session.PerInstance >= 1 && s.Session.PerInstance <= s.InstanceConcurrency, "session-concurrency",
		fmt.Sprint(s.Session.PerInstance), "use 1 up to the instance concurrency")
}

func (s *Spec) checkTrigger(c *check) {
	c.require(triggerNamePattern().MatchString(s.Trigger.Name), "trigger-name", fmt.Sprintf("%q is not a trigger name", s.Trigger.Name), "")
	c.require(s.Trigger.AuthType == AuthAnonymous || s.Trigger.AuthType == AuthFunction, "auth-type",
		fmt.Sprintf("%q is unknown", s.Trigger.AuthType), "use anonymous or function")
	for _, method := range s.Trigger.Methods {
		c.require(slices.Contains(triggerMethods, method), "methods", fmt.Sprintf("%q is not an HTTP method of a trigger", method), "")
	}
	for _, method := range mcpMethods {
		c.require(slices.Contains(s.Trigger.Methods, method), "methods", method+" is missing", "Streamable HTTP needs POST, GET and DELETE")
	}
}

func (s *Spec) checkDomain(c *check) {
	if s.Domain == nil {
		return
	}
	c.require(domainPattern().MatchString(s.Domain.Name), "custom-domain", fmt.Sprintf("%q is not a domain name", s.Domain.Name), "for example mcp.example.com")
	c.require((len(s.Domain.Certificate) > 0) == (s.Domain.PrivateKey != ""), "custom-domain", "HTTPS needs a certificate and its key", "give both, or neither")
	c.require(s.FCAPI == API3, "custom-domain", "is supported with FC 3.0 only", "leave it out, or use FC 3.0")
}

func (s *Spec) checkEnv(c *check) {
	env := s.Environment()
	for _, name := range sortedKeys(env) {
		c.require(envNamePattern().MatchString(name), "env", fmt.Sprintf("%q is not a variable name", name), "use letters, digits and _, a letter first")
		c.require(!strings.HasPrefix(name, "FC_"), "env", name+" is reserved by FC", "choose a name that does not start with FC_")
		c.require(!strings.ContainsRune(env[name], 0), "env", name+" contains a NUL byte", "")
	}
	size := envSize(env)
	c.require(size <= maxEnvBytes, "env", fmt.Sprintf("all variables together are %d bytes", size), fmt.Sprintf("FC allows %d", maxEnvBytes))
}

// CheckAuth refuses a server that anyone on the internet could use.
func (s Spec) CheckAuth() error {
	s = s.WithDefaults()
	if s.Trigger.AuthType == AuthAnonymous && s.Server.AuthToken == "" {
		return &FieldError{Field: "auth-token-file", Problem: "the trigger is anonymous and there is no token, so anyone could use the server",
			Fix: "use --generate-token, --auth-token-file or " + EnvAuthToken}
	}
	if s.Server.SandboxAPIKey == "" {
		return &FieldError{Field: "sandbox-api-key", Problem: "the server cannot reach a sandbox backend without a key",
			Fix: "use --sandbox-api-key or " + EnvSandboxKey}
	}
	return nil
}
