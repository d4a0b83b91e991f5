package ide

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/agentsandbox/agent-sandbox/abx/internal/cmdutil"
	"github.com/agentsandbox/agent-sandbox/abx/internal/config"
	"github.com/agentsandbox/agent-sandbox/ideinstall"
)

// TokenVariable carries the token of a server that is reached over HTTP.
const TokenVariable = "ABX_MCP_AUTH_TOKEN"

// Entry is what is to be registered.
type Entry struct {
	Transport string
	URL       string
	Command   string
	Local     bool

	needsKey bool // set by Server: sandboxes are not made on this machine
}

// Add adds the flags.
func (e *Entry) Add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&e.Transport, "transport", string(ideinstall.TransportStdio), "stdio: the client starts abx; http: it uses the server at --url")
	cmd.Flags().StringVar(&e.URL, "url", "", "`URL` of a server that runs elsewhere, such as https://example.com/mcp")
	cmd.Flags().StringVar(&e.Command, "command", "", "`PATH` of the abx that the client starts (default: this one)")
	cmd.Flags().BoolVar(&e.Local, "local", false, "run sandboxes on this machine (abx mcp start --local)")
}

// Server describes the entry. warnings are for the user and hold no secret.
func (e *Entry) Server(f *cmdutil.Factory, name string) (server *ideinstall.Server, warnings []string, err error) {
	s := &ideinstall.Server{Name: name, Transport: ideinstall.Transport(e.Transport)}
	if s.Transport == ideinstall.TransportHTTP {
		s.URL = e.URL
		s.Secret = ideinstall.Secret{Variable: TokenVariable, Value: f.Getenv(TokenVariable)}
		return s, nil, nil
	}
	if e.URL != "" {
		return nil, nil, cmdutil.FlagErrorf("--url goes with --transport http")
	}
	cfg, err := f.Config()
	if err != nil {
		return nil, nil, err
	}
	s.Args = []string{"mcp", "start"}
	s.Secret = ideinstall.Secret{Variable: config.APIKey.Env()}
	if e.Local {
		s.Args = append(s.Args, "--local")
	} else {
		e.needsKey = cfg.Get(config.Backend).Value != "local"
		s.Secret.Value, s.Secret.Stored = apiKey(cfg)
		warnings = shellOnly(cfg)
	}
	s.Command, err = e.program(&warnings)
	return s, warnings, err
}

// apiKey is the key, unless sandboxes run on this machine anyway. A key in the
// configuration file is found by the server without the client's help.
func apiKey(cfg *config.Config) (value string, stored bool) {
	if cfg.Get(config.Backend).Value == "local" {
		return "", false
	}
	v := cfg.Get(config.APIKey)
	return v.Value, v.Origin == config.FromFile
}

// program is the path of abx for the client to start.
func (e *Entry) program(warnings *[]string) (string, error) {
	if e.Command != "" {
		return e.Command, nil
	}
	path, err := ideinstall.Executable(os.Args[0])
	if err != nil {
		return "", fmt.Errorf("find the path of abx: %w", err)
	}
	if ideinstall.Temporary(path) {
		*warnings = append(*warnings, path+" lies in a temporary directory: clients will not find it for long")
	}
	return path, nil
}

// shellOnly warns of settings that a client started from the desktop would not
// see.
func shellOnly(cfg *config.Config) []string {
	var out []string
	for _, k := range []config.Key{config.Backend, config.Region, config.BaseURL, config.Domain, config.SandboxURL, config.Template} {
		if o := cfg.Get(k).Origin; o == config.FromEnvironment || o == config.FromFlag {
			out = append(out, fmt.Sprintf("%s is set here only; `abx config set %s` makes it known to the server that the client starts", k, k))
		}
	}
	return out
}
