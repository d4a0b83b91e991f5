package agent_test

import (
	"encoding/json"
	"net"
	"testing"

	"github.com/agentsandbox/agent-sandbox/sandboxd/agent"
	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/replay"
)

func TestMain(m *testing.M) {
	replay.Enter(func(l net.Listener, config json.RawMessage) error {
		var cfg agent.Config
		if err := json.Unmarshal(config, &cfg); err != nil {
			return err
		}
		return agent.Main(l, &cfg)
	})
	m.Run()
}
