// Package view says how a sandbox is shown, in JSON and to people.
package view

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/agentsandbox/agent-sandbox/sandboxclient"
)

// Sandbox is a sandbox in the JSON output of the commands. It holds no token.
type Sandbox struct {
	ID        string            `json:"sandbox_id"`
	Template  string            `json:"template"`
	State     string            `json:"state"`
	StartedAt time.Time         `json:"started_at"`
	EndAt     time.Time         `json:"end_at"`
	CPUs      int32             `json:"cpus"`
	MemoryMB  int32             `json:"memory_mb"`
	Envd      string            `json:"envd_version"`
	Metadata  map[string]string `json:"metadata"`
}

// Of makes the view of what the backend told.
func Of(info *sandboxclient.SandboxInfo) *Sandbox {
	template := info.Alias
	if template == "" {
		template = info.TemplateID
	}
	metadata := info.Metadata
	if metadata == nil {
		metadata = map[string]string{}
	}
	return &Sandbox{
		ID: info.SandboxID, Template: template, State: string(info.State),
		StartedAt: info.StartedAt, EndAt: info.EndAt,
		CPUs: info.CPUCount, MemoryMB: info.MemoryMB, Envd: info.EnvdVersion, Metadata: metadata,
	}
}

// Pairs is the metadata as key=value words, by key.
func (s *Sandbox) Pairs() string {
	var words []string
	for _, k := range slices.Sorted(maps.Keys(s.Metadata)) {
		words = append(words, k+"="+s.Metadata[k])
	}
	return strings.Join(words, " ")
}

// Age is a duration as a person reads it: its two largest units.
func Age(d time.Duration) string {
	seconds := max(0, int(d.Round(time.Second).Seconds()))
	minutes, hours := seconds/60, seconds/3600
	switch {
	case minutes == 0:
		return fmt.Sprintf("%ds", seconds)
	case hours == 0 && seconds%60 == 0:
		return fmt.Sprintf("%dm", minutes)
	case hours == 0:
		return fmt.Sprintf("%dm%ds", minutes, seconds%60)
	}
	return fmt.Sprintf("%dh%dm", hours, minutes%60)
}
