package cli

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/agentsandbox/agent-sandbox/abx/internal/cmdutil"
)

// untilSignal gives a context that ends at the first SIGINT or SIGTERM. The
// second one ends the process at once, whatever it is waiting for.
func untilSignal(f *cmdutil.Factory) (ctx context.Context, stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		<-signals
		cancel()
		abandon(f, <-signals)
	}()
	return ctx, func() {
		signal.Stop(signals)
		cancel()
	}
}

// abandon says what the end leaves undone. The exit code is a shell's for a
// process that the signal ended.
func abandon(f *cmdutil.Factory, s os.Signal) {
	fmt.Fprintln(f.IO.ErrOut, "abx: ended at once: sandboxes may remain until their timeout; `abx sandbox reap` finds and destroys them (those of --local end with abx)")
	code := 1
	if number, ok := s.(syscall.Signal); ok {
		code = 128 + int(number)
	}
	os.Exit(code)
}
