package control

import (
	"context"
	"net/http"
	"time"

	"github.com/agentsandbox/agent-sandbox/sandboxclient/api"
	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/lifecycle"
)

// timeoutBody is the body of timeout, connect and resume, in which absence
// means something else than zero.
type timeoutBody struct {
	Timeout *int32 `json:"timeout"`
}

func (b *timeoutBody) or(d time.Duration) time.Duration {
	if b.Timeout == nil {
		return d
	}
	return time.Duration(*b.Timeout) * time.Second
}

// setTimeout moves the end of life; zero or less is the end.
func (h *Handler) setTimeout(w http.ResponseWriter, r *http.Request) error {
	var body timeoutBody
	if err := decode(w, r, &body); err != nil {
		return err
	}
	if body.Timeout == nil {
		return bad("timeout is required, in seconds")
	}
	s, err := h.sandbox(r)
	if err != nil {
		return err
	}
	if err := s.SetTimeout(body.or(0)); err != nil {
		return aboutSandbox(s.ID, err)
	}
	return noContent(w)
}

func (h *Handler) connectV1(w http.ResponseWriter, r *http.Request) error {
	var body timeoutBody
	if err := decode(w, r, &body); err != nil {
		return err
	}
	if body.Timeout == nil {
		return bad("timeout is required, in seconds")
	}
	return h.connect(w, r, body.or(0))
}

func (h *Handler) connectV2(w http.ResponseWriter, r *http.Request) error {
	var body timeoutBody
	if err := decode(w, r, &body); err != nil {
		return err
	}
	return h.connect(w, r, body.or(defaultTimeoutV2))
}

// connect answers 200 when the sandbox was running and 201 when it was
// resumed for this.
func (h *Handler) connect(w http.ResponseWriter, r *http.Request, timeout time.Duration) error {
	s, err := h.sandbox(r)
	if err != nil {
		return err
	}
	if timeout < 0 {
		return bad("timeout must not be negative")
	}
	resumed, err := s.Connect(context.WithoutCancel(r.Context()), timeout)
	if err != nil {
		return aboutSandbox(s.ID, err)
	}
	status := http.StatusOK
	if resumed {
		status = http.StatusCreated
	}
	writeJSON(w, status, h.summary(s))
	return nil
}

// refresh prolongs a life and never shortens it.
func (h *Handler) refresh(w http.ResponseWriter, r *http.Request) error {
	var body api.RefreshRequest
	if err := decode(w, r, &body); err != nil {
		return err
	}
	if body.Duration < 0 || body.Duration > 3600 {
		return bad("duration must be between 0 and 3600 seconds")
	}
	s, err := h.sandbox(r)
	if err != nil {
		return err
	}
	if err := s.Extend(time.Duration(body.Duration) * time.Second); err != nil {
		return aboutSandbox(s.ID, err)
	}
	return noContent(w)
}

func (h *Handler) pause(w http.ResponseWriter, r *http.Request) error {
	var body api.PauseRequest
	if err := decode(w, r, &body); err != nil {
		return err
	}
	s, err := h.sandbox(r)
	if err != nil {
		return err
	}
	if err := s.Pause(context.WithoutCancel(r.Context())); err != nil {
		return aboutSandbox(s.ID, err)
	}
	return noContent(w)
}

func (h *Handler) resume(w http.ResponseWriter, r *http.Request) error {
	var body timeoutBody
	if err := decode(w, r, &body); err != nil {
		return err
	}
	s, err := h.sandbox(r)
	if err != nil {
		return err
	}
	timeout := body.or(defaultTimeoutV1)
	if timeout <= 0 {
		return bad("Timeout must be greater than 0")
	}
	if err := s.Resume(context.WithoutCancel(r.Context()), timeout); err != nil {
		return aboutSandbox(s.ID, err)
	}
	if s.Info().State == lifecycle.Ending {
		return aboutSandbox(s.ID, lifecycle.ErrNotFound)
	}
	writeJSON(w, http.StatusCreated, h.summary(s))
	return nil
}
