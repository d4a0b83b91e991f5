package fcdeploy

import "maps"

// Environment variables of the function that the server reads.
const (
	EnvAuthToken    = "ABX_MCP_AUTH_TOKEN"
	EnvSandboxKey   = "ABX_SANDBOX_API_KEY"
	EnvBaseURL      = "ABX_SANDBOX_BASE_URL"
	EnvDomain       = "ABX_SANDBOX_DOMAIN"
	EnvSandboxURL   = "ABX_SANDBOX_URL"
	EnvBackend      = "ABX_BACKEND"
	EnvTemplate     = "ABX_DEFAULT_TEMPLATE"
	EnvSessionState = "ABX_MCP_SESSION_STATE"    // memory, or backend where nothing keeps a session on one instance
	EnvAffinity     = "ABX_MCP_SESSION_AFFINITY" // the platform's; MCP_STREAMABLE bounds the protocol versions on offer
	EnvRegion       = "ALIBABA_CLOUD_REGION_ID"
)

// maxEnvBytes is FC's limit on names and values together.
const maxEnvBytes = 4 * 1024

// secretEnv names the variables whose values stay out of every file.
var secretEnv = map[string]bool{EnvAuthToken: true, EnvSandboxKey: true}

// Environment is the function's environment with its real values. Variables
// without a value are left out.
func (s *Spec) Environment() map[string]string {
	env := map[string]string{
		EnvTemplate:     s.Server.Template,
		EnvSandboxKey:   s.Server.SandboxAPIKey.Reveal(),
		EnvAuthToken:    s.Server.AuthToken.Reveal(),
		EnvBaseURL:      s.Server.BaseURL,
		EnvDomain:       s.Server.SandboxDomain,
		EnvSandboxURL:   s.Server.SandboxURL,
		EnvBackend:      s.Server.Backend,
		EnvSessionState: s.sessionState(),
		EnvAffinity:     string(s.Affinity),
		EnvRegion:       s.Region,
	}
	maps.Copy(env, s.Env)
	maps.DeleteFunc(env, func(_, value string) bool { return value == "" })
	return env
}

func (s *Spec) sessionState() string {
	if s.Affinity == AffinityNone {
		return "backend"
	}
	return "memory"
}

// environmentRefs is the environment for files: a secret is a reference of the
// given form to a variable of the same name, present even when its value is
// not known yet.
func (s *Spec) environmentRefs(reference func(name string) string) map[string]string {
	env := s.Environment()
	for name := range secretEnv {
		env[name] = reference(name)
	}
	for name := range s.Env {
		env[name] = reference(name)
	}
	if s.Server.AuthToken == "" && s.Trigger.AuthType != AuthAnonymous {
		delete(env, EnvAuthToken)
	}
	return env
}

func envSize(env map[string]string) int {
	size := 0
	for name, value := range env {
		size += len(name) + len(value)
	}
	return size
}
