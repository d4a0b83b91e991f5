package transfer

import (
	"net/http"
	"testing"
)

// FuzzAcceptedCoding holds that any header leads to a coding we have, or to a
// refusal that only an explicit zero can cause.
func FuzzAcceptedCoding(f *testing.F) {
	for _, seed := range []string{"", "gzip", "gzip;q=0", "*;q=0, gzip", "identity;q=0, br", ",;q=,", "gzip;q=NaN"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, accept string) {
		coding, err := acceptedCoding(&http.Request{Header: http.Header{"Accept-Encoding": {accept}}})
		if err != nil && qualities(accept)[codingIdentity] > 0 {
			t.Errorf("%q: refused though identity is acceptable", accept)
		}
		if err == nil && coding != codingIdentity && coding != codingGzip {
			t.Errorf("%q: coding %q", accept, coding)
		}
	})
}
