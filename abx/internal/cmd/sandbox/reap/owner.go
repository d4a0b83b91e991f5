package reap

import (
	"context"
	"time"

	"github.com/agentsandbox/agent-sandbox/abx/internal/cmd/sandbox/view"
	"github.com/agentsandbox/agent-sandbox/mcpserver"
	"github.com/agentsandbox/agent-sandbox/sandboxclient"
	"github.com/agentsandbox/agent-sandbox/sandboxclient/api"
)

// selects gives the rule by which a sandbox is reaped. Without a flag only the
// sandboxes of a process that ran here and ended are: silence about any other
// is the safe answer.
func (o *Options) selects(now time.Time) func(*view.Sandbox) bool {
	return func(s *view.Sandbox) bool {
		label, ours := s.Metadata[mcpserver.MetadataInstance]
		switch {
		case !ours:
			return false
		case o.Instance != "":
			return label == o.Instance
		case o.OlderThan > 0:
			return now.Sub(s.StartedAt) > o.OlderThan
		}
		instance, ok := mcpserver.ParseInstance(label)
		return ok && instance.Here() && !instance.Alive()
	}
}

func find(ctx context.Context, client *sandboxclient.Client, selects func(*view.Sandbox) bool) ([]*view.Sandbox, error) {
	found := []*view.Sandbox{}
	all := &sandboxclient.ListOptions{States: []api.State{api.StateRunning, api.StatePaused}}
	for info, err := range client.List(ctx, all) {
		if err != nil {
			return nil, err
		}
		if s := view.Of(info); selects(s) {
			found = append(found, s)
		}
	}
	return found, nil
}
