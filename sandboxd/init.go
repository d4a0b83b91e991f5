package sandboxd

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net"

	"github.com/agentsandbox/agent-sandbox/sandboxd/agent"
	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/isolation"
)

// Init must be the first call of main, and of TestMain in tests that start
// sandboxes: the processes inside a sandbox are this same executable, and in
// them Init takes over and never returns. In an ordinary process it returns
// at once.
func Init() { isolation.Dispatch(runAgent) }

// runAgent is the life of the agent. What the server said about the sandbox
// is completed by where the agent finds itself.
func runAgent(l net.Listener, place *isolation.Place, config json.RawMessage) error {
	var cfg agent.Config
	if err := json.Unmarshal(config, &cfg); err != nil {
		return fmt.Errorf("read agent config: %w", err)
	}
	settle(&cfg, place)
	return agent.Main(l, &cfg)
}

// settle fills in what depends on the place. A workdir of /app is whatever
// stands for it there.
func settle(cfg *agent.Config, place *isolation.Place) {
	cfg.User = cmp.Or(cfg.User, place.User)
	cfg.Home = cmp.Or(cfg.Home, place.Home)
	if cfg.Workdir == "/app" {
		cfg.Workdir = cmp.Or(place.App, cfg.Workdir)
	}
	cfg.BaseEnv = maps.Clone(place.Env)
	if place.Path != "" {
		if cfg.BaseEnv == nil {
			cfg.BaseEnv = map[string]string{}
		}
		cfg.BaseEnv["PATH"] = place.Path
	}
	for _, a := range place.Accounts {
		cfg.Users = append(cfg.Users, agent.User{Name: a.Name, UID: a.UID, GID: a.GID, Home: a.Home})
	}
	cfg.SystemUsers = cfg.SystemUsers || len(place.Accounts) > 0
}
