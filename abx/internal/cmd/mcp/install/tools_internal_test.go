package install

import (
	"testing"

	"github.com/agentsandbox/agent-sandbox/mcpserver"
)

// Every tool of the server has a line of its own in the list, and no line is
// about a tool that is gone.
func TestSummariesMatchTheCatalogue(t *testing.T) {
	t.Parallel()
	all := mcpserver.Tools()
	for _, tool := range all {
		if summaries[tool.Name] == "" {
			t.Errorf("%s has no summary", tool.Name)
		}
	}
	if len(summaries) != len(all) {
		t.Errorf("%d summaries for %d tools", len(summaries), len(all))
	}
}
