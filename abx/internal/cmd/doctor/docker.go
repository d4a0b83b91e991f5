package doctor

import (
	"context"
	"encoding/json"
	"net"
	"net/http"

	"github.com/agentsandbox/agent-sandbox/abx/internal/cmdutil"
)

// dockerSocket is where an engine listens unless it is told otherwise.
const dockerSocket = "/var/run/docker.sock"

func checkDocker(ctx context.Context, _ *cmdutil.Factory) Finding {
	version, err := dockerVersion(ctx)
	if err != nil {
		return warning("needed for --isolation docker only", "no engine answers at %s", dockerSocket)
	}
	return ok("engine %s", version)
}

func dockerVersion(ctx context.Context) (string, error) {
	client := &http.Client{Transport: &http.Transport{
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(ctx, "unix", dockerSocket)
		},
	}}
	defer client.CloseIdleConnections()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://docker/version", nil)
	if err != nil {
		return "", err
	}
	response, err := client.Do(request)
	if err != nil {
		return "", err
	}
	defer func() { _ = response.Body.Close() }()
	var answer struct{ Version string }
	err = json.NewDecoder(response.Body).Decode(&answer)
	return answer.Version, err
}
