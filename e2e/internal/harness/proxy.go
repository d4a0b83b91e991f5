package harness

import (
	"context"
	"strings"
	"testing"

	"github.com/Shopify/toxiproxy/v2"
	"github.com/rs/zerolog"
)

// Proxy stands between abx and a backend and spoils what passes.
type Proxy struct {
	URL string

	t     testing.TB
	proxy *toxiproxy.Proxy
}

// StartProxy starts a proxy before the backend that ends with the test.
func StartProxy(t testing.TB, b *Backend) *Proxy {
	t.Helper()
	server := toxiproxy.NewServer(toxiproxy.NewMetricsContainer(nil), zerolog.Nop())
	p := &Proxy{t: t, proxy: toxiproxy.NewProxy(server, t.Name(), "127.0.0.1:0", strings.TrimPrefix(b.URL, "http://"))}
	if err := p.proxy.Start(); err != nil {
		t.Fatalf("start proxy: %v", err)
	}
	t.Cleanup(p.proxy.Stop)
	p.URL = "http://" + p.proxy.Listen
	return p
}

// Add spoils all connections from now on, those that are open included, with a
// toxic as toxiproxy's API describes it in JSON.
func (p *Proxy) Add(toxic string) {
	p.t.Helper()
	if _, err := p.proxy.Toxics.AddToxicJson(strings.NewReader(toxic)); err != nil {
		p.t.Fatalf("add %s: %v", toxic, err)
	}
}

// Clear ends all spoiling; what was lost stays lost.
func (p *Proxy) Clear(ctx context.Context) { p.proxy.Toxics.ResetToxics(ctx) }

// Cut closes all connections and refuses new ones.
func (p *Proxy) Cut() { p.proxy.Stop() }
