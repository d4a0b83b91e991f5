package sandboxclient

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"slices"
	"strings"
)

// endpoint is where a client finds the control plane and the sandboxes.
type endpoint struct {
	api     *url.URL
	domain  string // host, with a port when it is not the scheme's
	sandbox string // replaces the data-plane URL when not empty; no final slash
}

// sharedHostDomains are the domains whose proxy takes the traffic of every
// sandbox on one host, sandbox.<domain>, and routes by headers (E2B SDK).
var sharedHostDomains = []string{"e2b.app", "e2b.dev", "e2b.pro", "e2b-staging.dev"}

func newEndpoint(opts *Options) (*endpoint, error) {
	e := &endpoint{domain: strings.TrimSuffix(opts.Domain, "/")}
	apiURL := opts.APIURL
	if apiURL == "" {
		if e.domain == "" {
			e.domain = defaultDomain
		}
		apiURL = scheme(e.domain) + "://api." + e.domain
	}
	var err error
	if e.api, err = parseBaseURL("APIURL", apiURL, opts.AllowInsecure); err != nil {
		return nil, err
	}
	if opts.SandboxURL != "" {
		u, err := parseBaseURL("SandboxURL", opts.SandboxURL, opts.AllowInsecure)
		if err != nil {
			return nil, err
		}
		e.sandbox = u.String()
	}
	return e, e.completeDomain()
}

// completeDomain derives the domain from the API's host when it was not given.
func (e *endpoint) completeDomain() error {
	if e.domain != "" {
		return checkDomain(e.domain)
	}
	if domain, ok := strings.CutPrefix(e.api.Host, "api."); ok {
		e.domain = domain
		return nil
	}
	if e.sandbox == "" && !isLoopback(e.api.Hostname()) {
		return fmt.Errorf("the domain of sandboxes does not follow from APIURL host %q (it has no leading \"api.\"): set Domain or SandboxURL", e.api.Host)
	}
	e.domain = e.api.Host
	return nil
}

func checkDomain(domain string) error {
	if strings.ContainsAny(domain, "/?#@ \t\r\n") {
		return fmt.Errorf("option Domain %q is not a host name: give it without scheme and path, such as \"e2b.app\"", domain)
	}
	return nil
}

func parseBaseURL(field, text string, allowInsecure bool) (*url.URL, error) {
	u, err := url.Parse(strings.TrimRight(text, "/"))
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s is not a URL: %w", field, errors.Unwrap(err))
	case u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return nil, fmt.Errorf("%s must be an absolute http or https URL", field)
	case u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return nil, fmt.Errorf("%s must be a plain base URL: no user, query or fragment", field)
	case u.Scheme == "http" && !isLoopback(u.Hostname()) && !allowInsecure:
		return nil, fmt.Errorf("%s is plain http to %s, which would send the key in the clear: use https, or set AllowInsecure", field, u.Hostname())
	}
	return u, nil
}

// baseURL is the data-plane URL of one port of a sandbox.
func (e *endpoint) baseURL(domain, id string, port int) string {
	switch {
	case e.sandbox != "":
		return e.sandbox
	case slices.Contains(sharedHostDomains, domain):
		return "https://sandbox." + domain
	default:
		return publicURL(domain, id, port)
	}
}

// publicURL is the address of a port for anyone: <port>-<id>.<domain>.
func publicURL(domain, id string, port int) string {
	return fmt.Sprintf("%s://%d-%s.%s", scheme(domain), port, id, domain)
}

func scheme(domain string) string {
	host, _, err := net.SplitHostPort(domain)
	if err != nil {
		host = domain
	}
	if isLoopback(host) {
		return "http"
	}
	return "https"
}

func isLoopback(host string) bool {
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true
	}
	ip := net.ParseIP(strings.Trim(host, "[]"))
	return ip != nil && ip.IsLoopback()
}
