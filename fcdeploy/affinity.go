package fcdeploy

import (
	"encoding/json"
	"fmt"
	"time"
)

// Affinity is FC's rule for sending the requests of a session to one instance.
type Affinity string

// The affinities that make sense for this server. FC binds the Mcp-Session-Id
// of the initialize response to the instance that gave it (MCP_STREAMABLE).
// With NONE the server keeps its session state in the sandbox backend.
const (
	AffinityMCPStreamable Affinity = "MCP_STREAMABLE"
	AffinityNone          Affinity = "NONE"
)

// SessionLimits bound the sessions that FC binds to an instance.
type SessionLimits struct {
	PerInstance int           // at once in one instance; a full one causes another
	TTL         time.Duration // of a session, whole seconds
	Idle        time.Duration // without a request, whole seconds
}

type affinityConfig struct {
	PerInstance int `json:"sessionConcurrencyPerInstance" yaml:"sessionConcurrencyPerInstance"`
	TTLSeconds  int `json:"sessionTTLInSeconds" yaml:"sessionTTLInSeconds"`
	IdleSeconds int `json:"sessionIdleTimeoutInSeconds" yaml:"sessionIdleTimeoutInSeconds"`
}

func (l SessionLimits) config() affinityConfig {
	return affinityConfig{
		PerInstance: l.PerInstance,
		TTLSeconds:  int(l.TTL / time.Second),
		IdleSeconds: int(l.Idle / time.Second),
	}
}

// affinityJSON is the sessionAffinityConfig of the API: JSON inside a string.
func (s *Spec) affinityJSON() string {
	if s.Affinity == AffinityNone {
		return ""
	}
	text, err := json.Marshal(s.Session.config())
	if err != nil {
		panic(fmt.Sprintf("encode session limits: %v", err)) // three integers
	}
	return string(text)
}
