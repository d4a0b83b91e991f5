package control

import (
	"cmp"
	"time"

	"github.com/agentsandbox/agent-sandbox/sandboxclient/api"
	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/lifecycle"
)

// summary is the answer to create, connect and resume.
func (h *Handler) summary(s *lifecycle.Sandbox) api.Sandbox {
	return api.Sandbox{
		TemplateID: s.Spec.Template, SandboxID: s.ID, ClientID: api.LegacyClientID,
		EnvdVersion: h.cfg.Profile.EnvdVersion, EnvdAccessToken: s.Spec.AccessToken,
		TrafficAccessToken: optional(s.Spec.TrafficToken), Domain: optional(h.cfg.Domain()),
	}
}

func (h *Handler) listed(s *lifecycle.Sandbox) api.ListedSandbox {
	info := s.Info()
	return api.ListedSandbox{
		TemplateID: s.Spec.Template, SandboxID: s.ID, ClientID: api.LegacyClientID,
		StartedAt: s.Created.UTC(), EndAt: info.End.UTC().Truncate(time.Millisecond),
		CPUCount: h.cfg.Shape.CPUCount, MemoryMB: h.cfg.Shape.MemoryMB, DiskSizeMB: h.cfg.Shape.DiskSizeMB,
		State: state(info.State), EnvdVersion: h.cfg.Profile.EnvdVersion, Metadata: s.Spec.Metadata,
	}
}

func (h *Handler) detail(s *lifecycle.Sandbox) api.SandboxDetail {
	n := s.Info().Network
	return api.SandboxDetail{
		ListedSandbox: h.listed(s), EnvdAccessToken: s.Spec.AccessToken, Domain: optional(h.cfg.Domain()),
		AllowInternetAccess: n.Internet, Network: network(s, &n),
		Lifecycle: &api.Lifecycle{
			OnTimeout:  cmp.Or(map[bool]string{true: "pause"}[s.Spec.AutoPause], "kill"),
			AutoResume: s.Spec.AutoResume,
		},
	}
}

// network is nil for a sandbox with the rules that every sandbox has.
func network(s *lifecycle.Sandbox, n *lifecycle.Network) *api.Network {
	public := s.Spec.TrafficToken == ""
	if public && len(n.AllowOut)+len(n.DenyOut) == 0 && n.MaskRequestHost == "" {
		return nil
	}
	return &api.Network{
		AllowPublicTraffic: &public, AllowOut: n.AllowOut, DenyOut: n.DenyOut, MaskRequestHost: n.MaskRequestHost,
	}
}

// state names the two states that the API knows; the short ones count as
// what they come from.
func state(s lifecycle.State) api.State {
	if s == lifecycle.Paused {
		return api.StatePaused
	}
	return api.StateRunning
}

// optional is nil for the empty string, which the API expresses by absence.
func optional(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
