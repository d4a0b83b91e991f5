package sandboxtest_test

import (
	"os"
	"testing"

	"github.com/agentsandbox/agent-sandbox/sandboxclient"
	"github.com/agentsandbox/agent-sandbox/sandboxd"
	"github.com/agentsandbox/agent-sandbox/sandboxd/sandboxtest"
)

func TestMain(m *testing.M) {
	sandboxd.Init()
	os.Exit(m.Run())
}

func start(t *testing.T, opts *sandboxtest.Options) *sandboxtest.Server {
	t.Helper()
	s, err := sandboxtest.NewServer(opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return s
}

func client(t *testing.T, s *sandboxtest.Server) *sandboxclient.Client {
	t.Helper()
	c, err := sandboxclient.New(s.APIKey, &sandboxclient.Options{APIURL: s.URL, SandboxURL: s.URL})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func create(t *testing.T, s *sandboxtest.Server) *sandboxclient.Sandbox {
	t.Helper()
	sandbox, err := client(t, s).Create(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return sandbox
}
