package sandboxclient

import (
	"cmp"
	"context"
	"net/http"
)

// headerTransport adds the headers of a request's context.
type headerTransport struct {
	next   http.RoundTripper // nil: the default one
	header func(context.Context) http.Header
}

// RoundTrip implements http.RoundTripper.
func (t *headerTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	next := cmp.Or(t.next, http.DefaultTransport)
	extra := t.header(r.Context())
	if len(extra) == 0 {
		return next.RoundTrip(r)
	}
	r = r.Clone(r.Context())
	for name, values := range extra {
		if r.Header[name] == nil {
			r.Header[name] = values
		}
	}
	return next.RoundTrip(r)
}
