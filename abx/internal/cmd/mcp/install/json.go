package install

import (
	"github.com/agentsandbox/agent-sandbox/abx/internal/cmdutil"
	"github.com/agentsandbox/agent-sandbox/ideinstall"
)

// Document is what --json prints.
type Document struct {
	Server  Server   `json:"server"`
	Tools   []Tool   `json:"tools"`
	Clients []Client `json:"clients"`
}

// Server is the entry and the program behind it.
type Server struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// Client is what became of one client.
type Client struct {
	ID      string   `json:"id"`
	Scope   string   `json:"scope"`
	Paths   []string `json:"paths"`
	Action  string   `json:"action"` // create, update, none; skipped and failed where nothing was written
	Secret  string   `json:"secret"` // literal, env, input, none; "" where nothing was planned
	Backups []string `json:"backups"`
	After   string   `json:"after"` // what the user does next, "" when nothing changed
	Notes   []string `json:"notes"`
	Diff    string   `json:"diff"` // with --diff and --dry-run; secrets are masked
	Error   string   `json:"error"`
}

func document(f *cmdutil.Factory, o *Options, all []*outcome) *Document {
	d := &Document{Server: Server{Name: o.Selection.Name, Version: f.Version}, Tools: tools()}
	for _, out := range all {
		d.Clients = append(d.Clients, client(o, out))
	}
	return d
}

func client(o *Options, out *outcome) Client {
	c := Client{ID: out.target.ID, Scope: o.Selection.Scope, Paths: []string{}, Backups: []string{}, Notes: []string{}}
	if c.Scope == "" {
		c.Scope = string(out.target.DefaultScope)
	}
	if out.plan != nil {
		c.describe(o, out.plan)
		c.Notes = append(c.Notes, out.notes()...)
	}
	switch {
	case out.err != nil:
		c.Action, c.After, c.Error = "failed", "", out.err.Error()
	case out.skipped != "":
		c.Action = "skipped"
		c.Notes = append(c.Notes, out.skipped)
	}
	return c
}

func (c *Client) describe(o *Options, p *ideinstall.Plan) {
	c.Action, c.Secret = string(ideinstall.ActionNone), string(p.SecretMode())
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
