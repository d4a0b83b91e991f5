package doctor

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"net/url"
	"time"

	"github.com/agentsandbox/agent-sandbox/abx/internal/cmdutil"
	"github.com/agentsandbox/agent-sandbox/abx/internal/config"
	"github.com/agentsandbox/agent-sandbox/sandboxclient"
)

// remote is the endpoint to check, nil when there is nothing to check: no key
// is known, or sandboxes run on this machine.
func remote(f *cmdutil.Factory) (*config.Endpoint, error) {
	cfg, err := f.Config()
	if err != nil {
		return nil, err
	}
	if cfg.Get(config.APIKey).Value == "" || cfg.Get(config.Backend).Value == "local" {
		return nil, nil //nolint:nilnil // nothing to check is an answer
	}
	return cfg.Endpoint()
}

func checkEndpoint(ctx context.Context, f *cmdutil.Factory) Finding {
	endpoint, err := remote(f)
	if err != nil {
		return failure("see `abx config list --origin`", "%v", err)
	}
	if endpoint == nil {
		return warning("", "not checked: no remote backend is configured")
	}
	started := time.Now()
	if err := reach(ctx, endpoint.APIURL); err != nil {
		return failure("check the network, a proxy, and the region or base_url", "%s: %v", endpoint.APIURL, err)
	}
	return ok("%s answers in %d ms", endpoint.APIURL, time.Since(started).Milliseconds())
}

// reach resolves and dials the host, and completes TLS where the URL asks for it.
func reach(ctx context.Context, endpoint string) error {
	u, err := url.Parse(endpoint)
	if err != nil {
		return err
	}
	port := u.Port()
	if port == "" {
		port = map[string]string{"https": "443", "http": "80"}[u.Scheme]
	}
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", net.JoinHostPort(u.Hostname(), port))
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }()
	if u.Scheme != "https" {
		return nil
	}
	if err := tls.Client(conn, &tls.Config{ServerName: u.Hostname()}).HandshakeContext(ctx); err != nil {
		return fmt.Errorf("TLS: %w", err)
	}
	return nil
}

func checkBackend(ctx context.Context, f *cmdutil.Factory) Finding {
	endpoint, err := remote(f)
	if err != nil || endpoint == nil {
		return warning("", "not checked: no remote backend is configured")
	}
	client, err := f.Client()
	if err != nil {
		return failure("", "%v", err)
	}
	n := 0
	for _, err := range client.List(ctx, &sandboxclient.ListOptions{PageSize: 100}) {
		if err != nil {
			return refused(err)
		}
		n++
	}
	return ok("the key is accepted; %d sandboxes exist", n)
}

func refused(err error) Finding {
	if sandboxclient.IsUnauthenticated(err) {
		return failure("check the key, and that it belongs to this region", "the key is refused")
	}
	return failure("check `abx config list --origin`", "%v", err)
}
