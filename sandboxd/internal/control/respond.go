package control

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"github.com/agentsandbox/agent-sandbox/sandboxclient/api"
	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/lifecycle"
)

// refusal is an error with its HTTP status.
type refusal struct {
	status  int
	message string
}

func (e *refusal) Error() string { return e.message }

func refuse(status int, format string, args ...any) error {
	return &refusal{status: status, message: fmt.Sprintf(format, args...)}
}

// bad is the refusal of an argument.
func bad(format string, args ...any) error {
	return refuse(http.StatusBadRequest, format, args...)
}

// fail writes err as the API's error body.
func (h *Handler) fail(w http.ResponseWriter, r *http.Request, err error) {
	status := statusOf(err)
	if status == http.StatusInternalServerError {
		h.cfg.Logger.Error("control call failed", "method", r.Method, "path", r.URL.Path, "error", err)
	}
	writeJSON(w, status, api.Error{Code: int32(status), Message: err.Error()})
}

func statusOf(err error) int {
	if r, ok := errors.AsType[*refusal](err); ok {
		return r.status
	}
	if _, ok := errors.AsType[*NotOffered](err); ok {
		return http.StatusNotImplemented
	}
	return http.StatusInternalServerError
}

// aboutSandbox gives an error of the lifecycle its status and words.
func aboutSandbox(id string, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, lifecycle.ErrNotFound):
		return refuse(http.StatusNotFound, "Sandbox %q doesn't exist or you don't have access to it", id)
	case errors.Is(err, lifecycle.ErrEnding):
		return refuse(http.StatusConflict, "Sandbox %q is being killed", id)
	case errors.Is(err, lifecycle.ErrNotRunning):
		return refuse(http.StatusConflict, "Sandbox %q is not running", id)
	case errors.Is(err, lifecycle.ErrAlreadyPaused):
		return refuse(http.StatusConflict, "Sandbox %q is already paused", id)
	case errors.Is(err, lifecycle.ErrAlreadyRunning):
		return refuse(http.StatusConflict, "Sandbox %q is already running", id)
	case errors.Is(err, lifecycle.ErrTooLong):
		return bad("Max instance length exceeded")
	case errors.Is(err, context.DeadlineExceeded):
		return refuse(http.StatusGatewayTimeout, "sandbox %q: %v", id, err)
	}
	return fmt.Errorf("sandbox %q: %w", id, err)
}

func writeJSON(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	// The status is out; whoever hangs up now has lost interest.
	_ = json.NewEncoder(w).Encode(body)
}

func noContent(w http.ResponseWriter) error {
	w.WriteHeader(http.StatusNoContent)
	return nil
}
