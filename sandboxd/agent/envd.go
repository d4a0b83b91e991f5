package agent

import (
	"net/http"
	"time"

	"github.com/agentsandbox/agent-sandbox/sandboxclient/envd/filesystem/filesystemconnect"
	"github.com/agentsandbox/agent-sandbox/sandboxclient/envd/process/processconnect"
	"github.com/agentsandbox/agent-sandbox/sandboxd/agent/internal/account"
	"github.com/agentsandbox/agent-sandbox/sandboxd/agent/internal/auth"
	"github.com/agentsandbox/agent-sandbox/sandboxd/agent/internal/filesystem"
	"github.com/agentsandbox/agent-sandbox/sandboxd/agent/internal/process"
	"github.com/agentsandbox/agent-sandbox/sandboxd/agent/internal/rest"
	"github.com/agentsandbox/agent-sandbox/sandboxd/agent/internal/settings"
	"github.com/agentsandbox/agent-sandbox/sandboxd/agent/internal/system"
	"github.com/agentsandbox/agent-sandbox/sandboxd/agent/internal/transfer"
)

// retention is how long the exit of a process can be asked for (envd
// contract: disconnect).
const retention = 30 * time.Second

// envd is the handler of port 49983.
type envd struct {
	http.Handler
	settings  *settings.Store
	processes *process.Service
	files     *filesystem.Service
}

func newEnvd(cfg *Config) *envd {
	e := &envd{settings: cfg.settings()}
	users := cfg.users()
	e.processes = process.New(&process.Options{Settings: e.settings, BaseEnv: cfg.baseEnv(), Retain: cfg.retention()})
	e.files = filesystem.New(&filesystem.Options{Settings: e.settings, Users: users, Modern: cfg.Profile.modern()})

	mux := http.NewServeMux()
	rpc := func(path string, h http.Handler) { mux.Handle(path, auth.Users(e.settings, users, h)) }
	rpc(processconnect.NewProcessHandler(e.processes))
	rpc(filesystemconnect.NewFilesystemHandler(e.files))
	e.plain(mux, cfg, users)
	e.Handler = cors(auth.Tokens(e.settings, mux))
	return e
}

// plain adds the endpoints that are not RPCs.
func (e *envd) plain(mux *http.ServeMux, cfg *Config, users *account.Table) {
	files := transfer.New(&transfer.Options{Settings: e.settings, Users: users, Modern: cfg.Profile.modern()})
	mux.Handle("/files", files)
	if cfg.Profile.modern() {
		mux.HandleFunc("POST /files/compose", files.Compose)
	}
	mux.HandleFunc("GET /health", health)
	mux.HandleFunc("GET /envs", e.envs)
	mux.Handle("GET /metrics", system.NewMetrics(cfg.defaultUser().Home))
	mux.Handle("POST /init", system.Init(e.settings, cfg.Profile.EnvdVersion()))
}

func (e *envd) envs(w http.ResponseWriter, _ *http.Request) { rest.JSON(w, e.settings.Get().Envs) }

func (c *Config) retention() time.Duration {
	if c.Profile.modern() {
		return retention
	}
	return 0
}

func (e *envd) close() {
	e.files.Close()
	e.processes.Close()
}

func health(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(http.StatusNoContent)
}
