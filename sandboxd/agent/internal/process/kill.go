package process

import (
	"context"
	"time"

	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/proctree"
)

// killPatience bounds the hunt for descendants that keep forking.
const killPatience = 5 * time.Second

// killTree kills the process and all that it brought into being, also what
// left its session and lost its parents.
func (p *proc) killTree() {
	ctx, cancel := context.WithTimeout(context.Background(), killPatience)
	defer cancel()
	all := proctree.Union(proctree.Tree(p.cmd.Process.Pid), p.mark.Processes)
	_ = proctree.Kill(ctx, all) // the main process goes in any case
	_ = p.cmd.Process.Kill()
}
