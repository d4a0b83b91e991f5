package contract

import (
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"

	"github.com/agentsandbox/agent-sandbox/sandboxclient"
)

var portCases = []one{
	{"a server in the sandbox", serverInSandbox},
	{"a closed port", closedPort},
}

// Header are the headers by which a request for a port of a sandbox finds it
// where the host name does not say it, the sandbox's token included.
func Header(sandbox *sandboxclient.Sandbox, port int) http.Header {
	h := http.Header{}
	h.Set("E2b-Sandbox-Id", sandbox.ID)
	h.Set("E2b-Sandbox-Port", fmt.Sprint(port))
	if token := sandbox.AccessToken(); token != "" {
		h.Set("X-Access-Token", token)
	}
	return h
}

func (r *run) fetch(sandbox *sandboxclient.Sandbox, port int, path string) (status int, body string) {
	r.Helper()
	req, err := http.NewRequestWithContext(r.ctx, http.MethodGet, sandbox.URL(port)+path, nil)
	r.check("make request", err)
	res, err := r.Fetch(sandbox, port, req)
	r.check("fetch", err)
	defer res.Body.Close()
	content, err := io.ReadAll(res.Body)
	r.check("read answer", err)
	return res.StatusCode, string(content)
}

// somePort is one that no other sandbox is likely to use, which matters where
// sandboxes share the ports of a machine.
func somePort() int { return 20_000 + rand.IntN(20_000) }

func serverInSandbox(r *run) {
	if r.Target.Fetch == nil {
		r.T.Skip("the target names no way to the ports of a sandbox")
	}
	sandbox, port := r.create(nil), somePort()
	r.sh(sandbox, "mkdir site && echo hi > site/index.html")
	_, err := sandbox.Commands.Start(r.ctx, fmt.Sprintf("cd site && exec python3 -m http.server %d --bind 127.0.0.1", port), nil)
	r.check("start server", err)
	r.eventually("the server", func() bool {
		status, body := r.fetch(sandbox, port, "/index.html")
		return status == http.StatusOK && body == "hi\n"
	})
	if status, _ := r.fetch(sandbox, port, "/missing"); status != http.StatusNotFound {
		r.Errorf("a missing page answered %d", status)
	}
}

func closedPort(r *run) {
	if r.Target.Fetch == nil {
		r.T.Skip("the target names no way to the ports of a sandbox")
	}
	sandbox := r.create(nil)
	status, body := r.fetch(sandbox, somePort(), "/")
	if status != http.StatusBadGateway || !strings.Contains(body, "not open") {
		r.Errorf("a closed port answered %d %q", status, body)
	}
}
