package agent

import (
	"cmp"
	"maps"
	"os"
	"slices"

	"github.com/agentsandbox/agent-sandbox/sandboxd/agent/internal/account"
	"github.com/agentsandbox/agent-sandbox/sandboxd/agent/internal/settings"
)

// User is an account that clients may name.
type User = account.User

// Config is all that an agent is told. It is plain data, so that it can be
// handed to another process as JSON.
type Config struct {
	// User is the default user, "user" when empty. Where neither Users nor the
	// system knows it, it is the identity that the agent itself runs with.
	User string `json:"user,omitempty"`
	// Home is the home of that identity; empty means $HOME, else "/".
	Home string `json:"home,omitempty"`
	// Workdir is where processes start that name no cwd; empty means the home.
	Workdir string `json:"workdir,omitempty"`
	// Users are further accounts. To become one of another uid the agent
	// needs the privilege for it.
	Users []User `json:"users,omitempty"`
	// SystemUsers also admits every user of the machine's own database.
	SystemUsers bool `json:"system_users,omitempty"`
	// Profile is the backend to stand for; empty means ProfileE2B.
	Profile Profile `json:"profile,omitempty"`
	// Envs are the sandbox's variables, as given to create: GET /envs shows
	// them, and those of a single request win over them.
	Envs map[string]string `json:"envs,omitempty"`
	// BaseEnv is below everything else in the environment of a process: PATH,
	// LANG, proxies. A missing PATH is the agent's own.
	BaseEnv map[string]string `json:"base_env,omitempty"`
	// AccessToken makes the sandbox a secured one; empty means an open one.
	AccessToken string `json:"access_token,omitempty"`
	// SandboxID and TemplateID become E2B_SANDBOX_ID and E2B_TEMPLATE_ID.
	SandboxID  string `json:"sandbox_id,omitempty"`
	TemplateID string `json:"template_id,omitempty"`
	// Interpreter serves the code interpreter on its port.
	Interpreter bool `json:"interpreter,omitempty"`
}

// defaultPath is the search path where neither the config nor the agent's own
// environment has one.
const defaultPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

// defaultUser is the account named User; where nobody knows that name, it is
// the agent's own identity.
func (c *Config) defaultUser() User {
	name := cmp.Or(c.User, "user")
	known := account.Table{Known: c.Users, System: c.SystemUsers}
	if u, err := known.Lookup(name); err == nil {
		return *u
	}
	return User{
		Name: name, UID: os.Geteuid(), GID: os.Getegid(),
		Home: cmp.Or(c.Home, os.Getenv("HOME"), "/"),
	}
}

func (c *Config) users() *account.Table {
	return &account.Table{
		Known:  append(slices.Clone(c.Users), c.defaultUser()),
		System: c.SystemUsers,
	}
}

func (c *Config) settings() *settings.Store {
	return settings.New(settings.Values{
		Token:   c.AccessToken,
		User:    c.defaultUser().Name,
		Workdir: c.Workdir,
		Envs:    c.envs(),
	})
}

// envs are the sandbox's variables with those that tell a program that it
// runs in a sandbox, and in which.
func (c *Config) envs() map[string]string {
	envs := map[string]string{"E2B_SANDBOX": "false"}
	if c.SandboxID != "" {
		envs["E2B_SANDBOX"] = "true"
		envs["E2B_SANDBOX_ID"] = c.SandboxID
		envs["E2B_TEMPLATE_ID"] = c.TemplateID
	}
	maps.Copy(envs, c.Envs)
	return envs
}

func (c *Config) baseEnv() map[string]string {
	env := map[string]string{"PATH": cmp.Or(os.Getenv("PATH"), defaultPath)}
	maps.Copy(env, c.BaseEnv)
	return env
}
