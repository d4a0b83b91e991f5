package isolation

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"

	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/proctree"
)

// ownerName is the file that holds the mark of a sandbox, for the sweep.
const ownerName = "owner"

// endOrphans kills what a server that died left running in the sandbox with
// this directory.
func endOrphans(dir string) {
	text, err := os.ReadFile(filepath.Join(dir, ownerName))
	if err != nil {
		return
	}
	var owner proctree.Mark
	if json.Unmarshal(text, &owner) != nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), killTimeout)
	defer cancel()
	proctree.Kill(ctx, proctree.OwnedBy(owner)) //nolint:errcheck // the directory is removed either way
}
