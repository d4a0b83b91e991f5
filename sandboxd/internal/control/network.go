package control

import (
	"net/http"
	"strings"

	"github.com/agentsandbox/agent-sandbox/sandboxclient/api"
	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/lifecycle"
)

// networkUpdate is the body of the call, with what is refused.
type networkUpdate struct {
	api.NetworkUpdate
	EgressProxy any `json:"egressProxy"`
}

// network replaces the rules of a running sandbox; what the body leaves out
// is cleared.
func (h *Handler) network(w http.ResponseWriter, r *http.Request) error {
	var body networkUpdate
	if err := decode(w, r, &body); err != nil {
		return err
	}
	s, err := h.sandbox(r)
	if err != nil {
		return err
	}
	refused := newSandbox{NewSandbox: api.NewSandbox{
		Network: &api.Network{EgressProxy: body.EgressProxy, Rules: body.Rules},
	}}
	if err := h.checkOffered(&refused); err != nil {
		return err
	}
	if err := checkRules(body.AllowOut, body.DenyOut); err != nil {
		return err
	}
	if s.Info().State != lifecycle.Running {
		return aboutSandbox(s.ID, lifecycle.ErrNotRunning)
	}
	n := s.Info().Network
	n.Internet, n.AllowOut, n.DenyOut = body.AllowInternetAccess, body.AllowOut, body.DenyOut
	if err := h.cfg.SetNetwork(s, &n); err != nil {
		return err
	}
	s.SetNetwork(&n)
	return noContent(w)
}

// checkRules wants every rule to be an address, a network or a host name.
func checkRules(allow, deny []string) error {
	for field, rules := range map[string][]string{"allowOut": allow, "denyOut": deny} {
		for i, rule := range rules {
			if rule == "" || strings.ContainsAny(rule, " \t\r\n@?#") || strings.Contains(rule, "://") {
				return bad("network.%s[%d]: %q is not an address, a network or a host name", field, i, rule)
			}
		}
	}
	return nil
}
