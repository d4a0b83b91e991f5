package dataplane_test

import (
	"net/http"
	"strconv"
	"testing"

	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/dataplane"
)

func request(host, id, port string) *http.Request {
	h := http.Header{}
	if id != "" {
		h.Set("E2b-Sandbox-Id", id)
	}
	if port != "" {
		h.Set("E2b-Sandbox-Port", port)
	}
	return &http.Request{Host: host, Header: h}
}

func TestFind(t *testing.T) {
	t.Parallel()
	const dashed = "sbx-c64b949e-2647-42ec-a796-83c2c9a7ab53"
	for _, c := range []struct {
		host, id, port string
		want           dataplane.Target
		control        bool
	}{
		{host: "49983-iabc.localhost:3000", want: dataplane.Target{ID: "iabc", Port: 49983}},
		{host: "8080-" + dashed + ".example.com", want: dataplane.Target{ID: dashed, Port: 8080}},
		{host: "8080-IABC.EXAMPLE.com", want: dataplane.Target{ID: "iabc", Port: 8080}},
		{host: "127.0.0.1:3000", id: "iabc", port: "49999", want: dataplane.Target{ID: "iabc", Port: 49999}},
		{host: "[::1]:3000", id: "iabc", port: "80", want: dataplane.Target{ID: "iabc", Port: 80}},
		{host: "::1", id: "iabc", port: "80", want: dataplane.Target{ID: "iabc", Port: 80}},
		{host: "localhost", id: "iabc", port: "80", want: dataplane.Target{ID: "iabc", Port: 80}},
		{host: "sandbox.e2b.app", id: dashed, port: "80", want: dataplane.Target{ID: dashed, Port: 80}},
		{host: "backend:3000", id: "iabc", port: "80", want: dataplane.Target{ID: "iabc", Port: 80}},
		// The host wins over the headers.
		{host: "80-ia.localhost", id: "ib", port: "90", want: dataplane.Target{ID: "ia", Port: 80}},
		{host: "api.example.com", id: "iabc", port: "80", control: true},
		{host: "127.0.0.1:3000", port: "80", control: true},
		{host: "localhost", control: true},
		{host: "80-iabc", control: true},
		{host: "", control: true},
	} {
		got, ok, err := dataplane.Find(request(c.host, c.id, c.port))
		if err != nil || ok == c.control || got != c.want {
			t.Errorf("host %q, id %q, port %q: %+v, %t, %v; want %+v", c.host, c.id, c.port, got, ok, err, c.want)
		}
	}
}

func TestFindRefuses(t *testing.T) {
	t.Parallel()
	for _, r := range []*http.Request{
		request("0-iabc.localhost", "", ""), request("65536-iabc.localhost", "", ""), request("99999999999999999999-i.x", "", ""),
		request("localhost", "iabc", ""), request("localhost", "iabc", "http"), request("localhost", "../etc", "80"),
		request("localhost", "i abc", "80"), request("80-i%2f.localhost", "", ""),
	} {
		if got, _, err := dataplane.Find(r); err == nil {
			t.Errorf("host %q, headers %v: found %+v, want an error", r.Host, r.Header, got)
		}
	}
}

func FuzzFind(f *testing.F) {
	f.Add("49983-iabc.localhost:3000", "", "")
	f.Add("127.0.0.1", "iabc", "49983")
	f.Add("[::1]", "i-b", "0")
	f.Fuzz(func(t *testing.T, host, id, port string) {
		r := &http.Request{Host: host, Header: http.Header{"E2b-Sandbox-Id": {id}, "E2b-Sandbox-Port": {port}}}
		got, ok, err := dataplane.Find(r)
		if err != nil || !ok {
			return
		}
		if got.Port < 1 || got.Port > 65535 || got.ID == "" {
			t.Errorf("found %+v", got)
		}
		for _, c := range got.ID {
			if c >= 0x80 || c == '/' || c == '.' || c == ':' || c == '%' {
				t.Errorf("id %q holds %s", got.ID, strconv.QuoteRune(c))
			}
		}
	})
}
