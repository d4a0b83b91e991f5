package lifecycle

import "errors"

// What an operation on a sandbox can be refused for. Callers decide by
// errors.Is; other errors are those of the Machine.
var (
	ErrNotFound       = errors.New("sandbox does not exist")
	ErrEnding         = errors.New("sandbox is being killed")
	ErrNotRunning     = errors.New("sandbox is not running")
	ErrAlreadyPaused  = errors.New("sandbox is already paused")
	ErrAlreadyRunning = errors.New("sandbox is already running")
	ErrTooMany        = errors.New("too many sandboxes")
	ErrTooLong        = errors.New("longer than a sandbox may live")
	ErrClosed         = errors.New("server is shutting down")
)
