package harness

import (
	"bytes"
	"sync"
)

// Log keeps what a process prints, to be read while it still runs.
type Log struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

// Write adds to the log.
func (l *Log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.Write(p)
}

// String is all that was printed so far.
func (l *Log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.String()
}
