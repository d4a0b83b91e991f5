package fctest

import (
	"maps"
	"time"
)

// launch is everything an instance is started from.
type launch struct {
	code        []byte
	command     []string
	env         map[string]string
	concurrency int
	timeout     time.Duration
	affinity    string
	session     affinityConfig
	options     Options
}

const defaultTimeout = 3 // seconds, as FC's

func newLaunch(options Options, code []byte, w *wanted) launch {
	l := launch{
		code: code, concurrency: w.concurrency(), affinity: w.SessionAffinity, options: options,
		command: append(append([]string{}, w.CustomRuntimeConfig.Command...), w.CustomRuntimeConfig.Args...),
		timeout: defaultTimeout * time.Second, env: maps.Clone(w.EnvironmentVariables),
	}
	l.session, _ = w.affinity() // was checked before
	if len(w.CustomRuntimeConfig.Command) == 0 {
		l.command = append([]string{"/code/bootstrap"}, w.CustomRuntimeConfig.Args...)
	}
	if w.Timeout != nil {
		l.timeout = time.Duration(*w.Timeout) * time.Second
	}
	return l
}

func (g *gateway) timeout() time.Duration {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.launch.timeout
}
