package install

import (
	"fmt"
	"io"
	"slices"

	"github.com/agentsandbox/agent-sandbox/abx/internal/cmdutil"
	"github.com/agentsandbox/agent-sandbox/ideinstall"
)

// report prints what became of each client. It ends in ErrSilent when any
// failed, for the failure has been told.
func report(f *cmdutil.Factory, o *Options, env *ideinstall.Env, all []*outcome) error {
	if f.JSON {
		if err := cmdutil.WriteJSON(f.IO.Out, document(f, o, all)); err != nil {
			return err
		}
	} else {
		printAll(f, o, env, all)
	}
	for _, out := range all {
		if out.err != nil {
			return cmdutil.ErrSilent
		}
	}
	return nil
}

// printAll prints one block for each client. The tools stand in the block of a
// single client and once at the end for several.
func printAll(f *cmdutil.Factory, o *Options, env *ideinstall.Env, all []*outcome) {
	blocks := 0
	for _, out := range all {
		printNotes(f.IO.ErrOut, out)
		if out.plan == nil || out.err != nil {
			continue
		}
		if blocks > 0 {
			fmt.Fprintln(f.IO.Out)
		}
		blocks++
		printBlock(f.IO.Out, o, env, out.plan, len(all) == 1)
	}
	if blocks > 0 && len(all) > 1 && !o.DryRun {
		fmt.Fprintln(f.IO.Out)
		printTools(f.IO.Out)
	}
}

// printNotes tells on the error stream what is not part of the result.
func printNotes(w io.Writer, out *outcome) {
	switch {
	case out.err != nil:
		fmt.Fprintf(w, "abx: %s: %v\n", out.target.ID, out.err)
	case out.skipped != "":
		fmt.Fprintf(w, "abx: %s: skipped: %s\n", out.target.ID, out.skipped)
	}
	if out.plan == nil {
		return
	}
	for _, note := range out.notes() {
		fmt.Fprintf(w, "abx: %s: %s\n", out.target.ID, note)
	}
	for _, c := range out.plan.Changes {
		if c.Backup != "" {
			fmt.Fprintf(w, "abx: %s: the old file is kept as %s\n", out.target.ID, c.Backup)
		}
	}
}

// notes are those of the plan and what is left to do.
func (out *outcome) notes() []string {
	if out.hint == "" {
		return out.plan.Notes
	}
	return append(slices.Clone(out.plan.Notes), out.hint)
}

func printBlock(w io.Writer, o *Options, env *ideinstall.Env, p *ideinstall.Plan, withTools bool) {
	for _, c := range p.Changes {
		fmt.Fprintln(w, headline(o, c, env.Display(c.Path)))
		if o.Diff || o.DryRun {
			fmt.Fprint(w, c.Diff())
		}
	}
	if o.DryRun {
		return
	}
	if withTools {
		fmt.Fprintln(w)
		printTools(w)
		if p.Changed() {
			fmt.Fprintln(w)
		}
	}
	if p.Changed() {
		fmt.Fprintln(w, p.After())
	}
}

func headline(o *Options, c *ideinstall.Change, path string) string {
	switch {
	case c.Action == ideinstall.ActionNone:
		return "MCP Server config in " + path + " is up to date"
	case o.DryRun:
		return "MCP Server config would be written to " + path
	}
	return "MCP Server config written to " + path
}

func printTools(w io.Writer) {
	fmt.Fprintln(w, "Registered tools:")
	for _, t := range tools() {
		fmt.Fprintf(w, "  • %-18s — %s\n", t.Name, t.Description)
	}
}
