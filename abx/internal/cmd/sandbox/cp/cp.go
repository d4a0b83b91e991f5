// Package cp implements `abx sandbox cp`.
package cp

import (
	"context"
	"strings"

	"github.com/MakeNowJust/heredoc"
	"github.com/spf13/cobra"

	"github.com/agentsandbox/agent-sandbox/abx/internal/cmdutil"
)

// Options of the command.
type Options struct {
	ID     string
	Local  string
	Remote string
	Upload bool
	User   string
}

// NewCmd makes the command.
func NewCmd(f *cmdutil.Factory) *cobra.Command {
	o := &Options{}
	cmd := &cobra.Command{
		Use:   "cp SOURCE DESTINATION",
		Short: "Copy files and directories to or from a sandbox",
		Long: heredoc.Doc(`
			Copies a file or a directory with all that is in it. One of the two
			is ID:PATH, in the sandbox. A destination that is a directory, or
			ends in a slash, gets the source into it.

			A file appears under its name when it is complete. Symbolic links
			and special files are left out and named.
		`),
		Example: heredoc.Doc(`
			$ abx sandbox cp ./project $id:/app
			$ abx sandbox cp $id:/app/report.pdf .
		`),
		Args: cmdutil.Args(cobra.ExactArgs(2)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := o.parse(args[0], args[1]); err != nil {
				return err
			}
			return run(cmd.Context(), f, o)
		},
	}
	cmd.Flags().StringVarP(&o.User, "user", "u", "", "`USER` who owns what is copied into the sandbox")
	cmdutil.AddBackendFlags(cmd, f)
	return cmd
}

func (o *Options) parse(source, destination string) error {
	fromID, fromPath, fromRemote := remote(source)
	toID, toPath, toRemote := remote(destination)
	switch {
	case fromRemote && !toRemote:
		o.ID, o.Remote, o.Local = fromID, fromPath, destination
	case toRemote && !fromRemote:
		o.ID, o.Remote, o.Local, o.Upload = toID, toPath, source, true
	default:
		return cmdutil.FlagErrorf("one of %q and %q must be ID:PATH, the other a path on this machine", source, destination)
	}
	if o.Remote == "" || o.Local == "" {
		return cmdutil.FlagErrorf("the path in %q and %q must not be empty", source, destination)
	}
	return nil
}

// remote tells ID:PATH from a path of this machine. A path that has a slash
// before the colon, and a Windows drive, are paths.
func remote(arg string) (id, path string, ok bool) {
	id, path, ok = strings.Cut(arg, ":")
	if !ok || len(id) < 2 || strings.ContainsAny(id, `/\.`) {
		return "", "", false
	}
	return id, path, true
}

func run(ctx context.Context, f *cmdutil.Factory, o *Options) error {
	client, err := f.Client()
	if err != nil {
		return err
	}
	sandbox, err := client.Connect(ctx, o.ID, nil)
	if err != nil {
		return err
	}
	t := &transfer{io: f.IO, sandbox: sandbox, user: o.User}
	if o.Upload {
		err = t.upload(ctx, o.Local, o.Remote)
	} else {
		err = t.download(ctx, o.Remote, o.Local)
	}
	if f.JSON {
		return firstError(err, cmdutil.WriteJSON(f.IO.Out, t.summary()))
	}
	return err
}

func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
