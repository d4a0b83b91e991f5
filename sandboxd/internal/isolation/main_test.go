package isolation_test

import (
	"encoding/json"
	"net"
	"os"
	"testing"

	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/isolation"
)

// atEnd removes what tests share.
var atEnd []func()

func TestMain(m *testing.M) {
	isolation.Dispatch(func(l net.Listener, place *isolation.Place, config json.RawMessage) error {
		return serveProbe(l, place, config)
	})
	runTool()
	code := m.Run()
	for _, clean := range atEnd {
		clean()
	}
	os.Exit(code)
}
