package status

import (
	"cmp"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/agentsandbox/agent-sandbox/abx/internal/cmdutil"
	"github.com/agentsandbox/agent-sandbox/ideinstall"
)

// printTable is the page for people. Of scopes that were not asked for it shows
// only those with something to tell.
func (o *Options) printTable(f *cmdutil.Factory, env *ideinstall.Env, d *Document, all []ideinstall.Status) error {
	w := tabwriter.NewWriter(f.IO.Out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "Server:\t%s (abx %s)\n", d.Server.Name, d.Server.Version)
	fmt.Fprintf(w, "Transport:\t%s\n", d.Transport)
	fmt.Fprintf(w, "Tools:\t%d (%s)\n", d.Tools.Count, strings.Join(d.Tools.Names, ", "))
	fmt.Fprintf(w, "API key:\t%s\n", keyText(d.APIKey))
	fmt.Fprintf(w, "Backend:\t%s\n", strings.TrimSpace(d.Backend.Kind+" "+d.Backend.URL))
	if err := w.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(f.IO.Out)
	fmt.Fprintln(w, "CLIENT\tSCOPE\tSTATE\tTRANSPORT\tSECRET\tFILE")
	for _, s := range all {
		if o.shows(&s) {
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\n", s.Target.ID, s.Scope, s.State,
				cmp.Or(string(s.Transport), "-"), cmp.Or(string(s.Secret), "-"), cmp.Or(env.Display(s.Path), "-"))
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	printRemarks(f, env, all)
	return nil
}

func (o *Options) shows(s *ideinstall.Status) bool {
	absent := s.State == ideinstall.StateNotInstalled || s.State == ideinstall.StateNotDetected
	return !absent || s.Scope == s.Target.DefaultScope || o.Selection.Scope != ""
}

func keyText(k APIKey) string {
	if !k.Configured {
		return "not configured"
	}
	return "configured (" + k.Source + ")"
}

// printRemarks explains states below the table, where long texts break nothing.
func printRemarks(f *cmdutil.Factory, env *ideinstall.Env, all []ideinstall.Status) {
	first := true
	remark := func(s *ideinstall.Status, text string) {
		if first {
			fmt.Fprintln(f.IO.Out)
			first = false
		}
		place := s.Target.ID
		if s.Path != "" {
			place += " (" + env.Display(s.Path) + ")"
		}
		fmt.Fprintf(f.IO.Out, "%s: %s\n", place, text)
	}
	for i := range all {
		if s := &all[i]; s.Reason != "" {
			remark(s, s.Reason)
		}
		for _, w := range all[i].Warnings {
			remark(&all[i], w)
		}
	}
}
