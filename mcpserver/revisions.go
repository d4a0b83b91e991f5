package mcpserver

// revisions of MCP that the SDK speaks, newest first.
var revisions = []string{"2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"}

// revisionsUpTo are those to offer when newest is the newest; nil, all of them,
// when there is no bound. Revisions are dates and compare as text.
func revisionsUpTo(newest string) []string {
	if newest == "" {
		return nil
	}
	var offered []string
	for _, r := range revisions {
		if r <= newest {
			offered = append(offered, r)
		}
	}
	return offered
}
