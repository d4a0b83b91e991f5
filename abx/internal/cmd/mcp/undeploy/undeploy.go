// Package undeploy implements `abx mcp undeploy`.
package undeploy

import (
	"bufio"
	"context"
	"fmt"
	"strings"

	"github.com/MakeNowJust/heredoc"
	"github.com/spf13/cobra"

	"github.com/agentsandbox/agent-sandbox/abx/internal/cmd/mcp/deploy/fcflags"
	"github.com/agentsandbox/agent-sandbox/abx/internal/cmdutil"
	"github.com/agentsandbox/agent-sandbox/abx/internal/config"
	"github.com/agentsandbox/agent-sandbox/fcdeploy"
)

// Options of the command.
type Options struct {
	FC           fcflags.Flags
	OutputDir    string
	Name         string
	CustomDomain string
	KeepDomain   bool
	Yes          bool
}

// NewCmd makes the command.
func NewCmd(f *cmdutil.Factory) *cobra.Command {
	o := &Options{}
	cmd := &cobra.Command{
		Use:   "undeploy",
		Short: "Remove a deployed MCP server from Function Compute",
		Long: heredoc.Doc(`
			Removes what "abx mcp deploy --apply" made, in the order that FC needs:
			the route of the custom domain (the domain too when abx made it and no
			other route is left), the trigger, the scaling rule, the function. A
			function that abx did not make is left alone.

			What is removed is read from deployment.json in --output-dir, or given
			with --name and --region. It is shown first; on a terminal you are
			asked, elsewhere --yes is needed. The directory itself stays.

			With --json: {deployment, steps[{action, resource}], removed}.
		`),
		Example: heredoc.Doc(`
			$ abx mcp undeploy --output-dir ./mcp-artifact
			$ abx mcp undeploy --name agent-sandbox-mcp --region cn-hangzhou --yes
		`),
		Args: cmdutil.Args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return fcflags.Explain(run(cmd.Context(), f, o))
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&o.OutputDir, "output-dir", "mcp-artifact", "`DIR` with deployment.json")
	flags.StringVar(&o.Name, "name", "", "`NAME` of the function, instead of the one in deployment.json")
	flags.StringVar(&o.CustomDomain, "custom-domain", "", "`HOST` whose route is removed, instead of the one in deployment.json")
	flags.BoolVar(&o.KeepDomain, "keep-domain", false, "leave the custom domain as it is")
	flags.BoolVar(&o.Yes, "yes", false, "do not ask")
	o.FC.Add(cmd)
	return cmd
}

// outcome is the JSON document.
type outcome struct {
	Deployment *fcdeploy.Deployment `json:"deployment"`
	Steps      []*fcdeploy.Step     `json:"steps"`
	Removed    bool                 `json:"removed"`
}

func run(ctx context.Context, f *cmdutil.Factory, o *Options) error {
	d, err := o.deployment(f)
	if err != nil {
		return err
	}
	driver, err := o.FC.Driver(d.Region, f.Version)
	if err != nil {
		return err
	}
	plan, err := fcdeploy.PlanUndeploy(ctx, driver, d, nil)
	if err != nil {
		return err
	}
	if err := o.confirm(f, d, plan); err != nil {
		return err
	}
	if err := fcdeploy.Undeploy(ctx, plan); err != nil {
		return err
	}
	if err := fcdeploy.ForgetDeployment(o.OutputDir); err != nil {
		return err
	}
	return report(f, &outcome{Deployment: d, Steps: plan.Steps, Removed: true})
}

// deployment is the recorded one, changed by flags; without a record --name is
// needed.
func (o *Options) deployment(f *cmdutil.Factory) (*fcdeploy.Deployment, error) {
	cfg, err := f.Config()
	if err != nil {
		return nil, err
	}
	d, err := fcdeploy.LoadDeployment(o.OutputDir)
	if err != nil {
		return nil, err
	}
	region := cfg.Get(config.Region)
	switch {
	case d == nil && o.Name == "":
		return nil, cmdutil.FlagErrorf("%s has no deployment.json: name the function with --name", o.OutputDir)
	case d == nil || (o.Name != "" && o.Name != d.Name):
		d = &fcdeploy.Deployment{Name: o.Name, Region: region.Value}
	case region.Origin == config.FromFlag:
		d.Region = region.Value
	}
	if o.CustomDomain != "" && o.CustomDomain != d.Domain {
		d.Domain, d.DomainCreated = o.CustomDomain, false
	}
	if o.KeepDomain {
		d.Domain = ""
	}
	if d.API == fcdeploy.API2 {
		o.FC.API = string(fcdeploy.API2)
	}
	return d, o.FC.Check(d.Region)
}

func (o *Options) confirm(f *cmdutil.Factory, d *fcdeploy.Deployment, plan *fcdeploy.Plan) error {
	if o.Yes || len(plan.Steps) == 0 {
		return nil
	}
	fmt.Fprintf(f.IO.ErrOut, "In %s:\n%s", d.Region, list(plan.Steps))
	if !f.IO.CanPrompt() || f.JSON {
		return cmdutil.FlagErrorf("nothing was removed: confirm with --yes")
	}
	fmt.Fprint(f.IO.ErrOut, "Remove this? [y/N] ")
	answer, err := bufio.NewReader(f.IO.In).ReadString('\n')
	if err != nil || !strings.EqualFold(strings.TrimSpace(answer), "y") {
		fmt.Fprintln(f.IO.ErrOut, "nothing was removed")
		return cmdutil.ErrSilent
	}
	return nil
}

func list(steps []*fcdeploy.Step) string {
	var out strings.Builder
	for _, step := range steps {
		fmt.Fprintf(&out, "  %s %s\n", step.Action, step.Resource)
	}
	return out.String()
}

func report(f *cmdutil.Factory, result *outcome) error {
	if f.JSON {
		return cmdutil.WriteJSON(f.IO.Out, result)
	}
	text := "Removed:\n" + list(result.Steps)
	if len(result.Steps) == 0 {
		text = fmt.Sprintf("Nothing of %s is in %s\n", result.Deployment.Name, result.Deployment.Region)
	}
	_, err := fmt.Fprint(f.IO.Out, text)
	return err
}
