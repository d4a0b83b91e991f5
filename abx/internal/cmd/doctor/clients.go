package doctor

import (
	"context"
	"slices"
	"strings"

	"github.com/agentsandbox/agent-sandbox/abx/internal/cmdutil"
	"github.com/agentsandbox/agent-sandbox/abx/internal/ide"
	"github.com/agentsandbox/agent-sandbox/ideinstall"
)

func checkClients(_ context.Context, f *cmdutil.Factory) Finding {
	env, err := ideinstall.System("")
	if err != nil {
		return warning("", "%v", err)
	}
	entry := &ide.Entry{Transport: string(ideinstall.TransportStdio)}
	server, _, err := entry.Server(f, ide.DefaultName)
	if err != nil {
		return warning("", "%v", err)
	}
	byState := map[ideinstall.State][]string{}
	for _, target := range ideinstall.Targets() {
		for _, scope := range target.Scopes() {
			for _, s := range ideinstall.Inspect(env, target, scope, server) {
				if ids := byState[s.State]; !slices.Contains(ids, target.ID) {
					byState[s.State] = append(ids, target.ID)
				}
			}
		}
	}
	return clientFinding(byState)
}

func clientFinding(byState map[ideinstall.State][]string) Finding {
	switch {
	case len(byState[ideinstall.StateUnknown]) > 0:
		return warning("see `abx mcp status`", "cannot read the settings of %s", list(byState[ideinstall.StateUnknown]))
	case len(byState[ideinstall.StateOutdated]) > 0:
		return warning("run `abx mcp install --target "+strings.Join(byState[ideinstall.StateOutdated], ",")+"`",
			"the entry in %s runs something else than this abx", list(byState[ideinstall.StateOutdated]))
	case len(byState[ideinstall.StateInstalled]) > 0:
		return ok("installed in %s", list(byState[ideinstall.StateInstalled]))
	case len(byState[ideinstall.StateNotInstalled]) > 0:
		return warning("run `abx mcp install --target auto`", "found %s, where abx is not installed", list(byState[ideinstall.StateNotInstalled]))
	}
	return ok("no known client on this machine")
}

func list(ids []string) string { return strings.Join(ids, ", ") }
