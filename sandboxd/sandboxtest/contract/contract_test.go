package contract_test

import (
	"maps"
	"net/http"
	"os"
	"runtime"
	"testing"
	"time"

	"github.com/agentsandbox/agent-sandbox/sandboxclient"
	"github.com/agentsandbox/agent-sandbox/sandboxd"
	"github.com/agentsandbox/agent-sandbox/sandboxd/sandboxtest"
	"github.com/agentsandbox/agent-sandbox/sandboxd/sandboxtest/contract"
)

func TestMain(m *testing.M) {
	sandboxd.Init()
	os.Exit(m.Run())
}

func TestWithoutIsolation(t *testing.T) {
	t.Parallel()
	run(t, &sandboxtest.Options{Isolation: "none"})
}

func TestNamespace(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("namespace isolation exists on Linux only")
	}
	run(t, &sandboxtest.Options{Isolation: "namespace"})
}

func TestProfileFC(t *testing.T) {
	t.Parallel()
	run(t, &sandboxtest.Options{Isolation: "none", Profile: "fc"})
}

func run(t *testing.T, opts *sandboxtest.Options) {
	t.Helper()
	backend, err := sandboxtest.NewServer(opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := backend.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	client, err := sandboxclient.New(backend.APIKey, &sandboxclient.Options{APIURL: backend.URL, SandboxURL: backend.URL})
	if err != nil {
		t.Fatal(err)
	}
	contract.Run(t, contract.Target{
		Client: client, CaseTimeout: 20 * time.Second, Languages: []string{"javascript", "typescript", "bash"},
		Fetch: func(sandbox *sandboxclient.Sandbox, port int, r *http.Request) (*http.Response, error) {
			r.URL.Host, r.Host = backend.URL[len("http://"):], ""
			maps.Copy(r.Header, contract.Header(sandbox, port))
			return backend.Client().Do(r)
		},
	})
}
