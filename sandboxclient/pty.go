package sandboxclient

import "github.com/agentsandbox/agent-sandbox/sandboxclient/envd/process"

// TerminalSize is the size of a terminal in characters.
type TerminalSize struct {
	Cols, Rows uint32
}

func (t *TerminalSize) wire() *process.PTY {
	return &process.PTY{Size: &process.PTY_Size{Cols: t.Cols, Rows: t.Rows}}
}
