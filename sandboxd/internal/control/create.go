package control

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/agentsandbox/agent-sandbox/sandboxclient/api"
	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/lifecycle"
)

// What a caller who sends no timeout gets.
const (
	defaultTimeoutV1 = 15 * time.Second
	defaultTimeoutV2 = 300 * time.Second
)

// createTimeout bounds the start of a sandbox. It goes on when the caller
// leaves, as on the hosted services.
const createTimeout = 2 * time.Minute

// newSandbox is the body of create, with the fields that the shared type does
// not need to tell absent from zero.
type newSandbox struct {
	api.NewSandbox
	Timeout *int32          `json:"timeout"`
	IAM     json.RawMessage `json:"iam"`
}

func (h *Handler) createV1(w http.ResponseWriter, r *http.Request) error {
	return h.create(w, r, defaultTimeoutV1, false)
}

// createV2 makes secure sandboxes only.
func (h *Handler) createV2(w http.ResponseWriter, r *http.Request) error {
	return h.create(w, r, defaultTimeoutV2, true)
}

func (h *Handler) create(w http.ResponseWriter, r *http.Request, timeout time.Duration, secure bool) error {
	var body newSandbox
	if err := decode(w, r, &body); err != nil {
		return err
	}
	if body.Timeout != nil {
		timeout = time.Duration(*body.Timeout) * time.Second
	}
	spec, err := h.spec(&body, timeout, secure || body.Secure != nil && *body.Secure)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), createTimeout)
	defer cancel()
	s, err := h.cfg.Manager.Create(ctx, spec)
	if err != nil {
		return creation(err)
	}
	writeJSON(w, http.StatusCreated, h.summary(s))
	return nil
}

func creation(err error) error {
	switch {
	case errors.Is(err, lifecycle.ErrTooMany):
		return refuse(http.StatusTooManyRequests, "you have reached the maximum number of concurrent E2B sandboxes")
	case errors.Is(err, lifecycle.ErrClosed):
		return refuse(http.StatusServiceUnavailable, "server is shutting down")
	}
	return err
}

// spec checks the body and says what is to be started.
func (h *Handler) spec(body *newSandbox, timeout time.Duration, secure bool) (*lifecycle.Spec, error) {
	template, err := h.template(body.TemplateID)
	if err != nil {
		return nil, err
	}
	if err := h.checkTimeout(timeout); err != nil {
		return nil, err
	}
	if err := h.checkOffered(body); err != nil {
		return nil, err
	}
	spec := &lifecycle.Spec{
		Template: template, Timeout: timeout, AutoPause: body.AutoPause,
		AutoResume: body.AutoResume != nil && body.AutoResume.Enabled,
		Metadata:   body.Metadata, Envs: body.EnvVars,
		Network: lifecycle.Network{Internet: body.AllowInternetAccess},
	}
	if secure {
		spec.AccessToken = newToken()
	}
	return spec, applyNetwork(spec, body.Network)
}

// template resolves what a caller may call a template: its id, with or
// without a tag, of which there is only one.
func (h *Handler) template(name string) (string, error) {
	if name == "" {
		return "", bad("templateID is required")
	}
	id, _, _ := strings.Cut(name, ":")
	if !slices.Contains(h.cfg.Templates, id) {
		return "", refuse(http.StatusNotFound, "template '%s' not found", name)
	}
	return id, nil
}

func (h *Handler) checkTimeout(timeout time.Duration) error {
	switch limit := h.cfg.MaxLife; {
	case timeout <= 0:
		return bad("Timeout must be greater than 0")
	case limit > 0 && timeout > limit && limit%time.Hour == 0:
		return bad("Timeout cannot be greater than %d hours", limit/time.Hour)
	case limit > 0 && timeout > limit:
		return bad("Timeout cannot be greater than %s", limit)
	}
	return nil
}

// checkOffered refuses what is asked for and cannot be had, rather than make
// a sandbox that is not the one asked for.
func (h *Handler) checkOffered(body *newSandbox) error {
	switch {
	case len(body.VolumeMounts) > 0:
		return &NotOffered{What: "volumeMounts"}
	case len(body.MCP) > 0:
		return &NotOffered{What: "mcp"}
	case len(body.IAM) > 0 && string(body.IAM) != "null":
		return &NotOffered{What: "iam"}
	case body.Network == nil:
		return nil
	case body.Network.EgressProxy != nil && !h.cfg.Profile.EgressProxy:
		return bad("network.egressProxy is not supported")
	case body.Network.EgressProxy != nil:
		return &NotOffered{What: "network.egressProxy"}
	case len(body.Network.Rules) > 0:
		return &NotOffered{What: "network.rules"}
	}
	return nil
}

// applyNetwork adds what the caller wants of the network to the spec.
func applyNetwork(spec *lifecycle.Spec, n *api.Network) error {
	if n == nil {
		return nil
	}
	if n.AllowPublicTraffic != nil && !*n.AllowPublicTraffic {
		if spec.AccessToken == "" {
			return bad("network.allowPublicTraffic can be false only for a secure sandbox: send secure true")
		}
		spec.TrafficToken = newToken()
	}
	spec.Network.AllowOut, spec.Network.DenyOut = n.AllowOut, n.DenyOut
	spec.Network.MaskRequestHost = n.MaskRequestHost
	return checkRules(n.AllowOut, n.DenyOut)
}

func newToken() string { return strings.ToLower(rand.Text() + rand.Text()) }
