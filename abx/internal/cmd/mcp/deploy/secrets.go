package deploy

import (
	"github.com/agentsandbox/agent-sandbox/abx/internal/cmdutil"
	"github.com/agentsandbox/agent-sandbox/abx/internal/config"
	"github.com/agentsandbox/agent-sandbox/fcdeploy"
)

// sandboxKey is the key of the backend: flag, environment, configuration, then
// the .env file of the output directory.
func (o *Options) sandboxKey(cfg *config.Config, env map[string]string) fcdeploy.Secret {
	for _, key := range []string{o.SandboxAPIKey, cfg.Get(config.APIKey).Value, env[fcdeploy.EnvSandboxKey]} {
		if key != "" {
			return fcdeploy.Secret(key)
		}
	}
	return ""
}

// authToken is the bearer token, when it is known without making one.
func (o *Options) authToken(f *cmdutil.Factory, env map[string]string) (fcdeploy.Secret, error) {
	switch {
	case o.AuthTokenFile != "" && o.GenerateToken:
		return "", cmdutil.FlagErrorf("--auth-token-file and --generate-token exclude each other")
	case o.AuthTokenFile != "":
		return fcdeploy.ReadToken(o.AuthTokenFile)
	case o.GenerateToken:
		return fcdeploy.Secret(env[fcdeploy.EnvAuthToken]), nil // none yet: generateToken makes it
	}
	if token := f.Getenv(fcdeploy.EnvAuthToken); token != "" {
		return fcdeploy.Secret(token), nil
	}
	return fcdeploy.Secret(env[fcdeploy.EnvAuthToken]), nil
}

// generateToken makes the token once the directory is known to be ours.
func (o *Options) generateToken(spec *fcdeploy.Spec) (path string, err error) {
	if !o.GenerateToken {
		return "", nil
	}
	spec.Server.AuthToken, path, err = fcdeploy.GenerateToken(o.OutputDir)
	return path, err
}
