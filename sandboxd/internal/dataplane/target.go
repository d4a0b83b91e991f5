package dataplane

import (
	"fmt"
	"net"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// Header names of the data plane.
const (
	headerID      = "E2b-Sandbox-Id"
	headerPort    = "E2b-Sandbox-Port"
	headerTraffic = "E2b-Traffic-Access-Token"
	headerAccess  = "X-Access-Token"
	// headerAgentPort tells the agent which of its own services is meant. It
	// is ours alone: what arrives from outside is dropped.
	headerAgentPort = "Abx-Port"
)

// Target is one port of one sandbox.
type Target struct {
	ID   string
	Port int
}

var (
	hostLabel = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^([0-9]+)-(.+)$`) })
	validID   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9_-]+$`) })
)

// Find reads the target of a request. ok is false when the request is not for
// a sandbox at all; an error describes a target that cannot exist.
func Find(r *http.Request) (t Target, ok bool, err error) {
	host := hostname(r.Host)
	label, domain, _ := strings.Cut(host, ".")
	switch match := hostLabel().FindStringSubmatch(label); {
	case match != nil && domain != "":
		t, err = parseTarget(match[2], match[1])
	case r.Header.Get(headerID) != "" && trustsHeaders(host):
		t, err = parseTarget(r.Header.Get(headerID), r.Header.Get(headerPort))
	default:
		return Target{}, false, nil
	}
	return t, true, err
}

// hostname is a Host header without its port and without brackets.
func hostname(hostport string) string {
	host := hostport
	if h, _, err := net.SplitHostPort(hostport); err == nil {
		host = h
	}
	return strings.ToLower(strings.Trim(host, "[]"))
}

// trustsHeaders reports whether a host says so little about the sandbox that
// the headers decide.
func trustsHeaders(host string) bool {
	return host == "localhost" || strings.HasPrefix(host, "sandbox.") ||
		!strings.Contains(host, ".") || net.ParseIP(host) != nil
}

func parseTarget(id, port string) (Target, error) {
	n, err := strconv.Atoi(port)
	if err != nil || n < 1 || n > 65535 {
		return Target{}, fmt.Errorf("invalid sandbox port %q: want 1 to 65535", port)
	}
	if !validID().MatchString(id) {
		return Target{}, fmt.Errorf("invalid sandbox ID %q", id)
	}
	return Target{ID: id, Port: n}, nil
}
