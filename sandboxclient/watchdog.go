package sandboxclient

import "time"

// watchdog calls bark once nobody has petted it for its time, unless it rests:
// while the caller's own code runs, the server is not to blame. A time that is
// not positive never barks.
type watchdog struct {
	timer *time.Timer
	idle  time.Duration
}

func newWatchdog(idle time.Duration, bark func()) *watchdog {
	if idle <= 0 {
		return &watchdog{}
	}
	return &watchdog{timer: time.AfterFunc(idle, bark), idle: idle}
}

func (w *watchdog) pet() {
	if w.timer != nil {
		w.timer.Reset(w.idle)
	}
}

// rest keeps it quiet until it is petted again.
func (w *watchdog) rest() {
	if w.timer != nil {
		w.timer.Stop()
	}
}
