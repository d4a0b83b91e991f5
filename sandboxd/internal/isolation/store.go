package isolation

import "github.com/agentsandbox/agent-sandbox/sandboxd/internal/state"

// openStore opens the state directory and removes what servers that died left
// in it.
func openStore(opts *Options) (*state.Store, error) {
	base := opts.StateDir
	if base == "" {
		base = state.DefaultBase()
	}
	store, err := state.Open(base, 0o711)
	if err != nil {
		return nil, err
	}
	store.Prune = opts.StateDir == ""
	if err := state.Sweep(base, endOrphans); err != nil {
		opts.logger().Warn("sweep old sandboxes", "error", err)
	}
	return store, nil
}
