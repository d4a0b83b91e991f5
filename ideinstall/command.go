package ideinstall

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
)

// clientCommand is a client's own program for editing its user file. It is used
// for files that running clients keep rewriting, and only for entries without a
// secret in them: arguments are seen by every user of the machine.
type clientCommand struct {
	program string
	add     func(name, entry string) []string // arguments; entry is JSON
	remove  func(name string) []string
}

var claudeCommand = clientCommand{
	program: "claude",
	add: func(name, entry string) []string {
		return []string{"mcp", "add-json", name, entry, "--scope", "user"}
	},
	remove: func(name string) []string {
		return []string{"mcp", "remove", name, "--scope", "user"}
	},
}

// commandFor returns the client's program when the change can go through it.
func (c *Change) commandFor() *clientCommand {
	cmd := c.plan.Target.command
	if cmd == nil || c.plan.Scope != ScopeUser || c.plan.env.LookPath(cmd.program) == "" {
		return nil
	}
	if c.entry != nil && holdsLiteral(c.entry) {
		return nil
	}
	return cmd
}

// runCommand lets the client make the change. An entry that is there goes first,
// for clients refuse to add a name twice.
func (c *Change) runCommand(ctx context.Context, cmd *clientCommand) error {
	var steps [][]string
	if c.hadEntry {
		steps = append(steps, cmd.remove(c.plan.Server.Name))
	}
	if c.entry != nil {
		text, err := json.Marshal(c.entry)
		if err != nil {
			return fmt.Errorf("encode entry: %w", err)
		}
		steps = append(steps, cmd.add(c.plan.Server.Name, string(text)))
	}
	for _, args := range steps {
		if _, err := c.plan.env.Run(ctx, cmd.program, args...); err != nil {
			return fmt.Errorf("run %s %s: %w", cmd.program, strings.Join(args[:2], " "), err)
		}
	}
	return nil
}
