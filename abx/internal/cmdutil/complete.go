package cmdutil

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"github.com/agentsandbox/agent-sandbox/sandboxclient"
)

// completeLimit bounds what a press of the tab key may wait for.
const completeLimit = 3 * time.Second

// CompleteSandboxes offers the ids of sandboxes for the first argument, or for
// each when many is set. Without a backend there is nothing to offer.
func CompleteSandboxes(f *Factory, many bool) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 && !many {
			return nil, cobra.ShellCompDirectiveDefault
		}
		return sandboxIDs(cmd.Context(), f), cobra.ShellCompDirectiveNoFileComp
	}
}

func sandboxIDs(ctx context.Context, f *Factory) []string {
	client, err := f.Client()
	if err != nil {
		return nil
	}
	if ctx == nil {
		ctx = context.Background()
	}
	ctx, cancel := context.WithTimeout(ctx, completeLimit)
	defer cancel()
	var ids []string
	for info, err := range client.List(ctx, nil) {
		if err != nil {
			break
		}
		ids = append(ids, cobra.CompletionWithDesc(info.SandboxID, label(info)))
	}
	return ids
}

func label(info *sandboxclient.SandboxInfo) string {
	if info.Alias != "" {
		return info.Alias + ", " + string(info.State)
	}
	return info.TemplateID + ", " + string(info.State)
}

// completeTemplates offers the templates of the backend.
func completeTemplates(f *Factory) cobra.CompletionFunc {
	return func(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
		client, err := f.Client()
		if err != nil {
			return []string{"base", "code-interpreter-v1"}, cobra.ShellCompDirectiveNoFileComp
		}
		ctx, cancel := context.WithTimeout(cmd.Context(), completeLimit)
		defer cancel()
		templates, err := client.Templates(ctx)
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		var names []string
		for _, t := range templates {
			names = append(names, append(t.Aliases, t.TemplateID)[0])
		}
		return names, cobra.ShellCompDirectiveNoFileComp
	}
}
