package mcpserver

import (
	"sync"
	"sync/atomic"
	"time"
)

// Box is a sandbox as its session knows it.
type Box struct {
	machine
	// Handle is what callers know the sandbox by.
	Handle string
	// Template is what it was made from, "" for an attached one.
	Template string
	// Life is the idle life that each use renews.
	Life time.Duration

	kernels       kernels   // of run_code
	sharedKernels bool      // others run code in it too: the backend's own contexts are used
	files         workspace // for the output files of run_code

	owned   bool // created here, so destroyed at the session's end
	lazy    bool // made for a call that named none
	ended   atomic.Bool
	reached atomic.Bool // a call succeeded

	extending sync.Mutex // one extension at a time; guards end
	end       time.Time  // the end of life that the backend confirmed
}
