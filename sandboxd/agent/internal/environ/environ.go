// Package environ builds the environment of the programs of a sandbox.
package environ

import (
	"maps"
	"slices"

	"github.com/agentsandbox/agent-sandbox/sandboxd/agent/internal/account"
)

// Of is the environment of a program that runs as u. Later layers win: base,
// then HOME, USER and LOGNAME of the user, then each of layers (envd contract:
// environment; the sandbox's variables come before those of a request).
func Of(u *account.User, base map[string]string, layers ...map[string]string) map[string]string {
	env := map[string]string{}
	maps.Copy(env, base)
	env["HOME"], env["USER"], env["LOGNAME"] = u.Home, u.Name, u.Name
	for _, layer := range layers {
		maps.Copy(env, layer)
	}
	return env
}

// List is env as NAME=value in order of the names.
func List(env map[string]string) []string {
	list := make([]string, 0, len(env))
	for _, name := range slices.Sorted(maps.Keys(env)) {
		list = append(list, name+"="+env[name])
	}
	return list
}
