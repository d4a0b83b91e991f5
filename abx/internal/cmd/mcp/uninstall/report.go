package uninstall

import (
	"fmt"
	"io"

	"github.com/agentsandbox/agent-sandbox/abx/internal/cmdutil"
	"github.com/agentsandbox/agent-sandbox/ideinstall"
)

// Document is what --json prints.
type Document struct {
	Clients []Client `json:"clients"`
}

// Client is what became of one client.
type Client struct {
	ID      string   `json:"id"`
	Scope   string   `json:"scope"`
	Paths   []string `json:"paths"`
	Action  string   `json:"action"` // remove, none; skipped and failed where nothing was written
	Backups []string `json:"backups"`
	After   string   `json:"after"`
	Notes   []string `json:"notes"`
	Diff    string   `json:"diff"`
	Error   string   `json:"error"`
}

func report(f *cmdutil.Factory, o *Options, env *ideinstall.Env, all []*outcome) error {
	if f.JSON {
		d := &Document{Clients: []Client{}}
		for _, out := range all {
			d.Clients = append(d.Clients, client(o, out))
		}
		if err := cmdutil.WriteJSON(f.IO.Out, d); err != nil {
			return err
		}
	}
	if !f.JSON {
		printAll(f, o, env, all)
	}
	for _, out := range all {
		if out.err != nil {
			return cmdutil.ErrSilent
		}
	}
	return nil
}

// printAll prints one block for each client. Of a group it leaves out those that
// never had the entry.
func printAll(f *cmdutil.Factory, o *Options, env *ideinstall.Env, all []*outcome) {
	removed := 0
	for _, out := range all {
		absent := out.plan != nil && !out.plan.Changed()
		if out.skipped != "" || absent && o.Selection.Group() {
			continue
		}
		if removed > 0 && out.err == nil {
			fmt.Fprintln(f.IO.Out)
		}
		printOutcome(f.IO.Out, f.IO.ErrOut, o, env, out)
		removed++
	}
	if removed == 0 && o.Selection.Group() {
		fmt.Fprintf(f.IO.Out, "No %s entry in any client\n", o.Selection.Name)
	}
}

func printOutcome(w, errw io.Writer, o *Options, env *ideinstall.Env, out *outcome) {
	if out.err != nil {
		fmt.Fprintf(errw, "abx: %s: %v\n", out.target.ID, out.err)
		return
	}
	for _, note := range out.plan.Notes {
		fmt.Fprintf(errw, "abx: %s: %s\n", out.target.ID, note)
	}
	for _, c := range out.plan.Changes {
		fmt.Fprintln(w, headline(o, c, env.Display(c.Path)))
		if o.Diff || o.DryRun {
			fmt.Fprint(w, c.Diff())
		}
		if c.Backup != "" {
			fmt.Fprintf(errw, "abx: %s: the old file is kept as %s\n", out.target.ID, c.Backup)
		}
	}
	if out.plan.Changed() && !o.DryRun {
		fmt.Fprintf(w, "\n%s\n", out.plan.After())
	}
}

func headline(o *Options, c *ideinstall.Change, path string) string {
	switch {
	case c.Action == ideinstall.ActionNone:
		return fmt.Sprintf("No %s entry in %s", o.Selection.Name, path)
	case o.DryRun:
		return "MCP Server config would be removed from " + path
	}
	return "MCP Server config removed from " + path
}

func client(o *Options, out *outcome) Client {
	c := Client{ID: out.target.ID, Scope: o.Selection.Scope, Paths: []string{}, Backups: []string{}, Notes: []string{}}
	if c.Scope == "" {
		c.Scope = string(out.target.DefaultScope)
	}
	switch {
	case out.err != nil:
		c.Action, c.Error = "failed", out.err.Error()
	case out.skipped != "":
		c.Action = "skipped"
		c.Notes = append(c.Notes, out.skipped)
	default:
		c.describe(o, out.plan)
	}
	return c
}

func (c *Client) describe(o *Options, p *ideinstall.Plan) {
	c.Action = string(ideinstall.ActionNone)
	c.Notes = append(c.Notes, p.Notes...)
	for _, change := range p.Changes {
		c.Paths = append(c.Paths, change.Path)
		if change.Action != ideinstall.ActionNone {
			c.Action, c.After = string(change.Action), p.After()
		}
		if change.Backup != "" {
			c.Backups = append(c.Backups, change.Backup)
		}
		if o.Diff || o.DryRun {
			c.Diff += change.Diff()
		}
	}
}
