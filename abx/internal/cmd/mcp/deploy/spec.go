package deploy

import (
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/agentsandbox/agent-sandbox/abx/internal/cmdutil"
	"github.com/agentsandbox/agent-sandbox/abx/internal/config"
	"github.com/agentsandbox/agent-sandbox/fcdeploy"
)

// spec gathers what is wanted from flags, environment and configuration.
func (o *Options) spec(f *cmdutil.Factory) (*fcdeploy.Spec, error) {
	cfg, err := f.Config()
	if err != nil {
		return nil, err
	}
	affinity, err := o.affinity()
	if err != nil {
		return nil, err
	}
	spec := &fcdeploy.Spec{
		Name: o.Name, Region: cfg.Get(config.Region).Value, Flavor: fcdeploy.Flavor(o.Flavor), FCAPI: fcdeploy.API(o.FC.API),
		MemoryMB: o.Memory, CPU: o.CPU, Timeout: time.Duration(o.Timeout) * time.Second, MinInstances: o.MinInstances,
		Affinity: affinity, Session: fcdeploy.SessionLimits{PerInstance: o.SessionConcurrency},
	}
	if err := o.checkGiven(); err != nil {
		return nil, err
	}
	if spec.Server, err = o.server(f, cfg); err != nil {
		return nil, err
	}
	if spec.Env, err = o.environment(f); err != nil {
		return nil, err
	}
	if spec.Domain, err = o.domain(); err != nil {
		return nil, err
	}
	return spec, spec.Validate()
}

// checkGiven refuses zeros that would otherwise mean a default.
func (o *Options) checkGiven() error {
	switch {
	case o.Memory == 0:
		return cmdutil.FlagErrorf("--memory 0: want MB, a multiple of 64")
	case o.Timeout == 0:
		return cmdutil.FlagErrorf("--timeout 0: want seconds, at least 1")
	case o.Name == "":
		return cmdutil.FlagErrorf("--name is empty")
	case o.Plan && o.Apply:
		return cmdutil.FlagErrorf("--plan and --apply exclude each other")
	}
	return nil
}

func (o *Options) affinity() (fcdeploy.Affinity, error) {
	chosen := fcdeploy.Affinity(o.Affinity)
	switch {
	case o.EnableAffinity && o.NoAffinity:
		return "", cmdutil.FlagErrorf("--enable-session-affinity and --no-session-affinity exclude each other")
	case o.NoAffinity && chosen != "" && chosen != fcdeploy.AffinityNone, o.EnableAffinity && chosen == fcdeploy.AffinityNone:
		return "", cmdutil.FlagErrorf("--affinity %s contradicts the other flag", chosen)
	case o.NoAffinity:
		return fcdeploy.AffinityNone, nil
	case o.EnableAffinity && chosen == "":
		return fcdeploy.AffinityMCPStreamable, nil
	}
	return chosen, nil
}

// server is what the deployed server is told. Addresses that are not set stay
// unset: the server derives them from its region as abx does here.
func (o *Options) server(f *cmdutil.Factory, cfg *config.Config) (fcdeploy.ServerSettings, error) {
	settings := fcdeploy.ServerSettings{
		Template: o.Template, BaseURL: cfg.Get(config.BaseURL).Value, SandboxDomain: cfg.Get(config.Domain).Value,
		SandboxURL: cfg.Get(config.SandboxURL).Value,
	}
	switch backend := cfg.Get(config.Backend).Value; backend {
	case "local":
		return settings, cmdutil.FlagErrorf("--backend local: a function cannot reach sandboxes of this machine; use fc or e2b")
	case "fc":
	default:
		settings.Backend = backend
	}
	env, err := fcdeploy.EnvFile(o.OutputDir)
	if err != nil {
		return settings, err
	}
	settings.SandboxAPIKey = o.sandboxKey(cfg, env)
	settings.AuthToken, err = o.authToken(f, env)
	return settings, err
}

func (o *Options) environment(f *cmdutil.Factory) (map[string]string, error) {
	env := map[string]string{}
	for _, pair := range o.Env {
		name, value, given := strings.Cut(pair, "=")
		if !given {
			if value = f.Getenv(name); value == "" {
				return nil, cmdutil.FlagErrorf("--env %s: the environment has no such variable", name)
			}
		}
		env[name] = value
	}
	return env, nil
}

func (o *Options) domain() (*fcdeploy.CustomDomain, error) {
	if o.CustomDomain == "" {
		if o.DomainCert != "" || o.DomainKey != "" {
			return nil, cmdutil.FlagErrorf("--domain-cert and --domain-key need --custom-domain")
		}
		return nil, nil //nolint:nilnil // no domain is wanted
	}
	domain := &fcdeploy.CustomDomain{Name: o.CustomDomain}
	var err error
	if o.DomainCert != "" {
		if domain.Certificate, err = os.ReadFile(o.DomainCert); err != nil {
			return nil, fmt.Errorf("read certificate: %w", err)
		}
	}
	if o.DomainKey != "" {
		key, err := os.ReadFile(o.DomainKey)
		if err != nil {
			return nil, fmt.Errorf("read private key: %w", err)
		}
		domain.PrivateKey = fcdeploy.Secret(key)
	}
	return domain, nil
}
