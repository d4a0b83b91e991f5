// Package doctor implements `abx doctor`.
package doctor

import (
	"context"
	"fmt"
	"time"

	"github.com/MakeNowJust/heredoc"
	"github.com/spf13/cobra"

	"github.com/agentsandbox/agent-sandbox/abx/internal/cmdutil"
)

// checkLimit bounds one check.
const checkLimit = 20 * time.Second

// Status is the outcome of a check.
type Status string

// Outcomes.
const (
	OK      Status = "ok"
	Warning Status = "warning" // something is not there that not everybody needs
	Failure Status = "failure" // what is configured does not work
)

// Finding is one line of the report, and one element of its JSON form.
type Finding struct {
	Check  string `json:"check"`
	Status Status `json:"status"`
	Detail string `json:"detail"`
	Fix    string `json:"fix"` // what to do; "" when nothing is
}

// check looks at one thing. It never puts a secret into a finding.
type check struct {
	name string
	run  func(ctx context.Context, f *cmdutil.Factory) Finding
}

var checks = []check{
	{"version", checkVersion},
	{"configuration", checkConfiguration},
	{"api key", checkKey},
	{"endpoint", checkEndpoint},
	{"backend", checkBackend},
	{"local sandboxes", checkLocal},
	{"docker", checkDocker},
	{"clients", checkClients},
}

// NewCmd makes the command.
func NewCmd(f *cmdutil.Factory) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Check what abx needs, and say what to do",
		Long: heredoc.Doc(`
			Checks the settings, the backend, sandboxes on this machine, Docker
			and the clients. Prints no secret. With --json a list of {check,
			status, detail, fix}; status is ok, warning or failure. Exits 1 on a
			failure.
		`),
		Example: "$ abx doctor",
		Args:    cmdutil.Args(cobra.NoArgs),
		RunE:    func(cmd *cobra.Command, _ []string) error { return run(cmd.Context(), f) },
	}
	cmdutil.AddBackendFlags(cmd, f)
	return cmd
}

func run(ctx context.Context, f *cmdutil.Factory) error {
	var findings []Finding
	failed := false
	for _, c := range checks {
		finding := c.examine(ctx, f)
		failed = failed || finding.Status == Failure
		findings = append(findings, finding)
		if !f.JSON {
			show(f, &finding)
		}
	}
	if f.JSON {
		if err := cmdutil.WriteJSON(f.IO.Out, findings); err != nil {
			return err
		}
	}
	if failed {
		return cmdutil.ErrSilent
	}
	return ctx.Err()
}

func (c *check) examine(ctx context.Context, f *cmdutil.Factory) Finding {
	ctx, cancel := context.WithTimeout(ctx, checkLimit)
	defer cancel()
	finding := c.run(ctx, f)
	finding.Check = c.name
	return finding
}

func show(f *cmdutil.Factory, finding *Finding) {
	mark := map[Status]string{OK: "ok  ", Warning: "warn", Failure: "FAIL"}[finding.Status]
	if f.IO.ColorEnabled() {
		color := map[Status]string{OK: "32", Warning: "33", Failure: "31"}[finding.Status]
		mark = "\x1b[" + color + "m" + mark + "\x1b[0m"
	}
	fmt.Fprintf(f.IO.Out, "%s  %-15s  %s\n", mark, finding.Check, finding.Detail)
	if finding.Fix != "" {
		fmt.Fprintf(f.IO.Out, "%23s→ %s\n", "", finding.Fix)
	}
}

func ok(format string, args ...any) Finding {
	return Finding{Status: OK, Detail: fmt.Sprintf(format, args...)}
}

func warning(fix, format string, args ...any) Finding {
	return Finding{Status: Warning, Detail: fmt.Sprintf(format, args...), Fix: fix}
}

func failure(fix, format string, args ...any) Finding {
	return Finding{Status: Failure, Detail: fmt.Sprintf(format, args...), Fix: fix}
}
