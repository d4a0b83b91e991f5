package mcpserver

import (
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// checkOrigin keeps web pages from calling a server that their visitor can
// reach: an Origin, when there is one, must be the endpoint's own or listed,
// and behind a loopback listener Host must be a loopback name or listed, for
// any name may be made to resolve to 127.0.0.1 (transports, "Security Warning").
// Where no token keeps such a page out, its own Origin does not count either.
func (h *Handler) checkOrigin(r *http.Request) error {
	if origin := r.Header.Get("Origin"); origin != "" && !h.originAllowed(origin, r.Host) {
		return fmt.Errorf("origin %q is not allowed", origin)
	}
	if onLoopback(r) && !h.hostAllowed(r.Host) {
		return fmt.Errorf("host %q is not allowed", r.Host)
	}
	return nil
}

func (h *Handler) originAllowed(origin, host string) bool {
	if slices.Contains(h.opts.AllowedOrigins, "*") || slices.Contains(h.opts.AllowedOrigins, origin) {
		return true
	}
	u, err := url.Parse(origin)
	return err == nil && u.Host != "" && strings.EqualFold(u.Host, host) && (h.opts.Tokens != nil || h.hostAllowed(host))
}

func (h *Handler) hostAllowed(host string) bool {
	name := host
	if n, _, err := net.SplitHostPort(host); err == nil {
		name = n
	}
	return slices.Contains(h.opts.AllowedHosts, "*") || isLoopbackName(name) ||
		slices.ContainsFunc(h.opts.AllowedHosts, func(allowed string) bool {
			return strings.EqualFold(allowed, host) || strings.EqualFold(allowed, name)
		})
}

func isLoopbackName(name string) bool {
	if strings.EqualFold(name, "localhost") {
		return true
	}
	ip := net.ParseIP(strings.Trim(name, "[]"))
	return ip != nil && ip.IsLoopback()
}

// onLoopback says whether the request came in over the machine's own address.
func onLoopback(r *http.Request) bool {
	addr, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	if !ok {
		return false
	}
	host, _, err := net.SplitHostPort(addr.String())
	return err == nil && isLoopbackName(host)
}
