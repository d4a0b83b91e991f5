package lifecycle

import "time"

// Clock is the time that lives are measured with.
type Clock interface {
	Now() time.Time
	// AfterFunc calls f in a goroutine of its own once d has passed. stop
	// reports whether it came before the call, like time.Timer.Stop.
	AfterFunc(d time.Duration, f func()) (stop func() bool)
}

// SystemClock is the clock of the machine.
type SystemClock struct{}

// Now is time.Now.
func (SystemClock) Now() time.Time { return time.Now() }

// AfterFunc is time.AfterFunc.
func (SystemClock) AfterFunc(d time.Duration, f func()) func() bool {
	return time.AfterFunc(d, f).Stop
}
