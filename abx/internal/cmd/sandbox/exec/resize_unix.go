//go:build unix

package exec

import (
	"os"
	"os/signal"
	"syscall"
)

// followSize calls changed each time that the terminal's size changes, until
// stop, which waits for a call in progress.
func followSize(changed func()) (stop func()) {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGWINCH)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for range signals {
			changed()
		}
	}()
	return func() {
		signal.Stop(signals)
		close(signals)
		<-done
	}
}
