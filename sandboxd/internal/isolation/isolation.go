// Package isolation starts the agent of a sandbox somewhere where it can do
// no harm, and ends it without a trace. How strong the wall is depends on the
// launcher: Linux namespaces, a Docker container, or none at all.
package isolation

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"time"

	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/egress"
)

// The names that Choose knows.
const (
	Namespace = "namespace"
	Docker    = "docker"
	None      = "none"
)

// ErrPaused is returned by Dial while the sandbox is paused: its agent exists
// but would not answer.
var ErrPaused = errors.New("sandbox is paused")

// ErrEnded is returned by everything but Kill and Wait once the sandbox ended.
var ErrEnded = errors.New("sandbox has ended")

// Launcher starts sandboxes of one kind.
type Launcher interface {
	// Name is one of Namespace, Docker and None.
	Name() string
	// Probe starts and ends a sandbox to find out whether this machine can
	// have one. Its error says what to do. The answer is kept.
	Probe(ctx context.Context) error
	// Start returns once the agent's listener exists: the first answer to a
	// request is the proof that the agent runs. The context bounds the start
	// only, not the life of the sandbox.
	Start(ctx context.Context, spec *Spec) (Sandbox, error)
	// Close removes what the launcher itself keeps on disk. Sandboxes must
	// have been killed before.
	Close() error
}

// Sandbox is one running sandbox. All methods may be called concurrently.
type Sandbox interface {
	// Dial connects to the agent.
	Dial(ctx context.Context) (net.Conn, error)
	// Pause stops every process of the sandbox; connections stay open.
	Pause(ctx context.Context) error
	// Resume undoes Pause. Processes that were stopped before stay stopped.
	Resume(ctx context.Context) error
	// Kill ends every process and removes everything the sandbox left. It
	// returns when that is done, and nil when it had been done already.
	Kill(ctx context.Context) error
	// Wait returns when the sandbox has ended by itself or by Kill. The error
	// tells why it ended, and is nil after Kill.
	Wait() error
	// Stats measures the sandbox now.
	Stats(ctx context.Context) (Stats, error)
}

// Spec describes one sandbox.
type Spec struct {
	ID       string          // [A-Za-z0-9-], unique among the living
	Agent    json.RawMessage // given to the AgentFunc as it is
	Hostname string          // "" is the ID
	Limits   Limits
	Storage  string         // StorageMemory (also "") or StorageDisk
	Internet *egress.Policy // nil: nothing but loopback
	// Toolchains are directories of the host that the sandbox sees read-only
	// at the same path, with their bin before PATH.
	Toolchains []string
	Image      string // docker only: the image to run
}

// Where the writable directories of a namespace sandbox live.
const (
	StorageMemory = "memory" // a tmpfs that Limits.Storage bounds
	StorageDisk   = "disk"   // the state directory; only the size of one file is bounded
)

// Limits bound a sandbox. A zero field takes the default.
type Limits struct {
	Processes int   // processes and threads together; 512
	Memory    int64 // bytes over all processes, and files in memory; 0: no limit
	Storage   int64 // bytes of the writable directories together; 1 GiB
	FileSize  int64 // bytes of one file; Storage
	OpenFiles int   // descriptors per process; 4096
}

// Stats is what a sandbox uses at one moment.
type Stats struct {
	At           time.Time
	Processes    int
	CPUTime      time.Duration // user and system time of the living processes
	MemoryBytes  int64         // memory of the processes
	MemoryLimit  int64         // 0: none
	StorageBytes int64         // bytes in the writable directories
	StorageLimit int64         // 0: what the file system has
	CPUs         int
}

// Place tells the agent where it finds itself. Paths are as seen from inside.
type Place struct {
	User string // the name that commands run as
	Home string // the user's home
	App  string // the directory that stands for /app
	Tmp  string // for temporary files
	Path string // PATH for commands; "" leaves it to the agent
	// Env are variables that every command gets unless it sets its own.
	Env map[string]string
	// Accounts are the users that commands may run as, when the agent can
	// become another one; the system's own accounts come beside them.
	Accounts []Account
}

// Account is a user inside a sandbox.
type Account struct {
	Name     string
	UID, GID int
	Home     string
}

// AgentFunc is the agent: it serves the listener until that ends.
type AgentFunc func(l net.Listener, place *Place, config json.RawMessage) error
