package fctest

import (
	"encoding/json"
	"math"
	"regexp"
	"slices"
	"strings"
)

// wanted is what the emulator reads of a function document.
type wanted struct {
	FunctionName          string            `json:"functionName"`
	Runtime               string            `json:"runtime"`
	Handler               string            `json:"handler"`
	CPU                   *float64          `json:"cpu"`
	MemorySize            *int              `json:"memorySize"`
	DiskSize              *int              `json:"diskSize"`
	Timeout               *int              `json:"timeout"`
	InstanceConcurrency   *int              `json:"instanceConcurrency"`
	EnvironmentVariables  map[string]string `json:"environmentVariables"`
	CustomRuntimeConfig   runtimeConfig     `json:"customRuntimeConfig"`
	SessionAffinity       string            `json:"sessionAffinity"`
	SessionAffinityConfig string            `json:"sessionAffinityConfig"`
}

type runtimeConfig struct {
	Command []string `json:"command"`
	Args    []string `json:"args"`
	Port    int      `json:"port"`
}

type affinityConfig struct {
	PerInstance int `json:"sessionConcurrencyPerInstance"`
	TTL         int `json:"sessionTTLInSeconds"`
	Idle        int `json:"sessionIdleTimeoutInSeconds"`
}

var (
	functionName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_-]{0,63}$`)
	triggerName  = regexp.MustCompile(`^[A-Za-z_][\w-]{0,127}$`)
	envName      = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]*$`)
	runtimes     = []string{"custom", "custom.debian10", "custom.debian11", "custom.debian12"}
)

// checkFunction applies the limits of CreateFunction to a complete document.
func (s *Server) checkFunction(doc document) *apiError {
	var w wanted
	if e := doc.decode(&w); e != nil {
		return e
	}
	for _, check := range []func(*wanted) *apiError{checkIdentity, checkResources, checkTimes, checkEnvironment, checkAffinity} {
		if e := check(&w); e != nil {
			return e
		}
	}
	return nil
}

func checkIdentity(w *wanted) *apiError {
	switch {
	case !functionName.MatchString(w.FunctionName):
		return invalid("functionName %q is not valid", w.FunctionName)
	case !slices.Contains(runtimes, w.Runtime):
		return invalid("runtime %q is not emulated", w.Runtime)
	case w.Handler == "":
		return invalid("Handler is required but not provided")
	}
	return nil
}

func checkResources(w *wanted) *apiError {
	if w.CPU == nil || w.MemorySize == nil || w.DiskSize == nil {
		return invalid("cpu, memorySize and diskSize go together")
	}
	memory, steps := *w.MemorySize, *w.CPU/0.05
	ratio := float64(memory) / 1024 / *w.CPU
	switch {
	case memory < 128 || memory > 32768 || memory%64 != 0:
		return invalid("memorySize %d is not valid", memory)
	case *w.CPU < 0.05-1e-6 || *w.CPU > 16 || math.Abs(steps-math.Round(steps)) > 1e-4:
		return invalid("cpu %v is not valid", *w.CPU)
	case ratio < 1-1e-4 || ratio > 4+1e-4:
		return invalid("memory (GB) to cpu must be between 1:1 and 4:1, is %.2f", ratio)
	case *w.DiskSize != 512 && *w.DiskSize != 10240:
		return invalid("diskSize %d is not valid", *w.DiskSize)
	}
	return nil
}

func checkTimes(w *wanted) *apiError {
	if w.Timeout != nil && (*w.Timeout < 1 || *w.Timeout > 86400) {
		return invalid("timeout %d is not valid", *w.Timeout)
	}
	if w.InstanceConcurrency != nil && (*w.InstanceConcurrency < 1 || *w.InstanceConcurrency > 200) {
		return invalid("instanceConcurrency %d is not valid", *w.InstanceConcurrency)
	}
	return nil
}

func checkEnvironment(w *wanted) *apiError {
	size := 0
	for name, value := range w.EnvironmentVariables {
		size += len(name) + len(value)
		if !envName.MatchString(name) || strings.HasPrefix(name, "FC_") {
			return invalid("environment variable %q is not valid or reserved", name)
		}
	}
	if size > 4096 {
		return invalid("environment variables are larger than 4 KB")
	}
	return nil
}

func checkAffinity(w *wanted) *apiError {
	switch w.SessionAffinity {
	case "", "NONE":
		return nil
	case "MCP_STREAMABLE":
	default:
		return invalid("sessionAffinity %q is not emulated", w.SessionAffinity)
	}
	c, err := w.affinity()
	switch {
	case err != nil:
		return invalid("sessionAffinityConfig is not JSON in a string")
	case c.PerInstance < 1 || c.PerInstance > 200 || c.PerInstance > w.concurrency():
		return invalid("sessionConcurrencyPerInstance %d is not valid for instanceConcurrency %d", c.PerInstance, w.concurrency())
	case c.TTL < 1 || c.TTL > 21600 || c.Idle < 0 || c.Idle > 21600:
		return invalid("session lifetime %d s, idle %d s is not valid", c.TTL, c.Idle)
	}
	return nil
}

// affinity is the session configuration with FC's defaults.
func (w *wanted) affinity() (affinityConfig, error) {
	c := affinityConfig{PerInstance: 20, TTL: 21600, Idle: 1800}
	if w.SessionAffinityConfig == "" {
		return c, nil
	}
	return c, json.Unmarshal([]byte(w.SessionAffinityConfig), &c)
}

func (w *wanted) concurrency() int {
	if w.InstanceConcurrency == nil {
		return 1
	}
	return *w.InstanceConcurrency
}
