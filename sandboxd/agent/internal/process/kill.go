package process

import (
	"context"
	"os"
	"time"

	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/proctree"
)

// killPatience bounds the hunt for descendants that keep forking.
const killPatience = 5 * time.Second

// killTree kills a process and all that descends from it. Daemons whose
// parents are gone are left to the isolation, which ends with all its processes.
func killTree(p *os.Process) {
	ctx, cancel := context.WithTimeout(context.Background(), killPatience)
	defer cancel()
	_ = proctree.Kill(ctx, proctree.Tree(p.Pid)) // the main process goes in any case
	_ = p.Kill()
}
