package isolation_test

import (
	"encoding/json"
	"net"
	"os"
	"testing"

	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/isolation"
)

func TestMain(m *testing.M) {
	isolation.Dispatch(func(l net.Listener, place *isolation.Place, config json.RawMessage) error {
		return serveProbe(l, place, config)
	})
	runTool()
	os.Exit(m.Run())
}
