// Package create implements `abx sandbox create`.
package create

import (
	"context"
	"fmt"
	"time"

	"github.com/MakeNowJust/heredoc"
	"github.com/spf13/cobra"

	"github.com/agentsandbox/agent-sandbox/abx/internal/cmdutil"
	"github.com/agentsandbox/agent-sandbox/abx/internal/config"
	"github.com/agentsandbox/agent-sandbox/sandboxclient"
)

// Options of the command.
type Options struct {
	Timeout    time.Duration
	Envs       []string
	Metadata   []string
	NoInternet bool
	AutoPause  bool
}

// Created is the JSON output.
type Created struct {
	ID       string `json:"sandbox_id"`
	Template string `json:"template"`
	URL      string `json:"url"`
}

// NewCmd makes the command.
func NewCmd(f *cmdutil.Factory) *cobra.Command {
	o := &Options{}
	cmd := &cobra.Command{
		Use:   "create",
		Short: "Make a sandbox and print its id",
		Example: heredoc.Doc(`
			$ abx sandbox create --timeout 1h
			$ id=$(abx sandbox create --template base --metadata purpose=demo)
		`),
		Long: "Makes a sandbox that lives for --timeout and prints its id. With --json:\n{sandbox_id, template, url}.",
		Args: cmdutil.Args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error { return run(cmd.Context(), f, o) },
	}
	flags := cmd.Flags()
	flags.DurationVar(&o.Timeout, "timeout", 300*time.Second, "life of the sandbox")
	flags.StringArrayVarP(&o.Envs, "env", "e", nil, "environment variable `NAME=VALUE` (repeatable)")
	flags.StringArrayVarP(&o.Metadata, "metadata", "m", nil, "label `KEY=VALUE` (repeatable)")
	flags.BoolVar(&o.NoInternet, "no-internet", false, "keep the sandbox off the internet")
	flags.BoolVar(&o.AutoPause, "auto-pause", false, "pause the sandbox at the end of its life instead of destroying it")
	cmdutil.AddTemplateFlag(cmd, f)
	cmdutil.AddBackendFlags(cmd, f)
	return cmd
}

func run(ctx context.Context, f *cmdutil.Factory, o *Options) error {
	request, err := o.request(f)
	if err != nil {
		return err
	}
	client, err := f.Client()
	if err != nil {
		return err
	}
	sandbox, err := client.Create(ctx, request)
	if err != nil {
		return err
	}
	if f.JSON {
		return cmdutil.WriteJSON(f.IO.Out, Created{ID: sandbox.ID, Template: request.Template, URL: sandbox.URL(envdPort)})
	}
	_, err = fmt.Fprintln(f.IO.Out, sandbox.ID)
	return err
}

// envdPort is the port whose URL stands for the sandbox.
const envdPort = 49983

func (o *Options) request(f *cmdutil.Factory) (*sandboxclient.CreateOptions, error) {
	cfg, err := f.Config()
	if err != nil {
		return nil, err
	}
	envs, err := cmdutil.Pairs("--env", o.Envs)
	if err != nil {
		return nil, err
	}
	metadata, err := cmdutil.Pairs("--metadata", o.Metadata)
	if err != nil {
		return nil, err
	}
	request := &sandboxclient.CreateOptions{
		Template: cfg.Get(config.Template).Value, Timeout: o.Timeout,
		Envs: envs, Metadata: metadata, AutoPause: o.AutoPause,
	}
	if o.NoInternet {
		request.AllowInternetAccess = new(bool)
	}
	return request, nil
}
