package control

import (
	"context"
	"net/http"
	"strings"

	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/lifecycle"
)

// sandbox finds the sandbox that the path names.
func (h *Handler) sandbox(r *http.Request) (*lifecycle.Sandbox, error) {
	id, err := h.sandboxID(r.PathValue("id"))
	if err != nil {
		return nil, err
	}
	s, err := h.cfg.Manager.Get(id)
	return s, aboutSandbox(id, err)
}

// sandboxID drops the "-<clientID>" that old clients append to an id, where
// ids have no dashes themselves.
func (h *Handler) sandboxID(id string) (string, error) {
	if h.cfg.Profile.DashedIDs {
		return id, nil
	}
	id, suffix, _ := strings.Cut(id, "-")
	if strings.Contains(suffix, "-") {
		return "", bad("Invalid sandbox ID")
	}
	return id, nil
}

func (h *Handler) get(w http.ResponseWriter, r *http.Request) error {
	s, err := h.sandbox(r)
	if err != nil {
		return err
	}
	if s.Info().State == lifecycle.Ending {
		return aboutSandbox(s.ID, lifecycle.ErrNotFound)
	}
	writeJSON(w, http.StatusOK, h.detail(s))
	return nil
}

// kill goes on when the caller leaves: half a kill helps nobody.
func (h *Handler) kill(w http.ResponseWriter, r *http.Request) error {
	s, err := h.sandbox(r)
	if err != nil {
		return err
	}
	if err := s.Kill(context.WithoutCancel(r.Context())); err != nil {
		return aboutSandbox(s.ID, err)
	}
	return noContent(w)
}
