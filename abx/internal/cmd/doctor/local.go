package doctor

import (
	"context"
	"strings"
	"time"

	"github.com/agentsandbox/agent-sandbox/abx/internal/backend"
	"github.com/agentsandbox/agent-sandbox/abx/internal/cmdutil"
	"github.com/agentsandbox/agent-sandbox/sandboxclient"
)

// findLanguages prints those interpreters that a sandbox has.
const findLanguages = `for p in python3 node bash Rscript; do command -v $p >/dev/null && printf '%s ' $p; done; true`

// checkLocal makes a sandbox and looks around in it: nothing less tells whether
// this machine permits one.
func checkLocal(ctx context.Context, f *cmdutil.Factory) Finding {
	b, err := backend.Open(f, &backend.Flags{Local: true})
	if err != nil {
		return warning("sandboxes on this machine are not needed with a remote backend", "%v", err)
	}
	defer func() { _ = b.Close() }()
	started := time.Now()
	sandbox, err := b.Client.Create(ctx, &sandboxclient.CreateOptions{Template: "base"})
	if err != nil {
		return warning("", "%v", err)
	}
	took := time.Since(started)
	result, err := sandbox.Commands.Run(ctx, findLanguages, nil)
	if err != nil {
		return warning("", "%v", err)
	}
	languages := strings.Fields(result.Stdout.String())
	detail := "made one in %d ms; it has %s"
	if len(languages) < 3 {
		return warning("install python3 and nodejs to run Python and JavaScript with --local", detail, took.Milliseconds(), strings.Join(languages, ", "))
	}
	return ok(detail, took.Milliseconds(), strings.Join(languages, ", "))
}
