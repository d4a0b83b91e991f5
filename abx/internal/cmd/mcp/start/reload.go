package start

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/agentsandbox/agent-sandbox/abx/internal/cmdutil"
)

// reload is a file that is read again on SIGHUP. On an error what was read
// before stays in use.
type reload func() error

// onHangup calls the reloads on each SIGHUP. Where there is nothing to read,
// the signal means that the terminal is gone: ctx then ends. stop waits for a
// reload in progress.
func onHangup(ctx context.Context, f *cmdutil.Factory, reloads []reload) (_ context.Context, stop func()) {
	if len(reloads) == 0 {
		return signal.NotifyContext(ctx, syscall.SIGHUP)
	}
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGHUP)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for range signals {
			runReloads(f, reloads)
		}
	}()
	return ctx, func() {
		signal.Stop(signals)
		close(signals)
		<-done
	}
}

func runReloads(f *cmdutil.Factory, reloads []reload) {
	for _, again := range reloads {
		if err := again(); err != nil {
			f.Logger().Error("not read again; what was read before stays in use", "error", err)
		}
	}
}
