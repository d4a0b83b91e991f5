package sandboxd

import (
	"cmp"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/lifecycle"
	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/profile"
)

// Options say how a Server works. The zero value of each field, and a nil
// *Options, take the default.
type Options struct {
	// Isolation is what stands between a sandbox and the machine: namespace
	// (the default on Linux), docker (the default elsewhere), or none, which
	// is no protection at all and meant for use inside a container.
	Isolation string
	// Profile is the service to stand for: e2b (the default) or fc.
	Profile string
	// Storage is where the files of a sandbox are: memory (the default; sized)
	// or disk.
	Storage string
	// StateDir is where the server keeps what belongs to running sandboxes;
	// "" is the user's own state directory.
	StateDir string
	// Workdir is where commands start; "" is the user's home.
	Workdir string
	// Image is the container image of docker isolation.
	Image string
	// AgentBinary is a Linux executable for docker isolation to run as the
	// agent, where the present one is not.
	AgentBinary string
	// Toolchains are directories of the machine that sandboxes may read, with
	// their bin on PATH.
	Toolchains []string
	// MemoryBytes is what all processes of one sandbox may use; 0 = no limit.
	MemoryBytes int64
	// Processes a sandbox may have at once; 0 = 512.
	Processes int
	// MaxSandboxes alive at once, paused ones included; 0 = 100.
	MaxSandboxes int
	// MaxLife of a sandbox since its start or resume; 0 = 24 hours.
	MaxLife time.Duration
	// Internet lets sandboxes reach the internet when create does not say;
	// nil = true.
	Internet *bool
	// APIKeys are let in; none = one random key, see Server.APIKey.
	APIKeys []string
	// Domain is under which clients reach sandboxes, as <port>-<id>.<domain>;
	// "" = localhost and the port of the listener that Serve was given.
	Domain string
	// Clock measures the lives of sandboxes; nil = the machine's. For tests.
	Clock Clock
	// Logger gets what happens; nil = nowhere.
	Logger *slog.Logger

	// launch replaces the isolation, in tests of this package.
	launch launchFunc
}

// Clock is the time that lives are measured with.
type Clock interface {
	Now() time.Time
	// AfterFunc calls f in a goroutine of its own once d has passed. stop
	// reports whether it came before the call, like time.Timer.Stop.
	AfterFunc(d time.Duration, f func()) (stop func() bool)
}

const (
	defaultMaxSandboxes = 100
	defaultProcesses    = 512
)

// settings are Options with the defaults filled in.
type settings struct {
	Options
	profile *profile.Profile
}

func (o *Options) settings() (*settings, error) {
	if o == nil {
		o = &Options{}
	}
	p, err := profile.Named(o.Profile)
	if err != nil {
		return nil, err
	}
	s := &settings{Options: *o, profile: p}
	if err := s.check(); err != nil {
		return nil, err
	}
	s.MaxSandboxes = cmp.Or(s.MaxSandboxes, defaultMaxSandboxes)
	s.Processes = cmp.Or(s.Processes, defaultProcesses)
	s.MaxLife = cmp.Or(s.MaxLife, p.MaxLife)
	s.Storage = cmp.Or(s.Storage, "memory")
	if s.Clock == nil {
		s.Clock = lifecycle.SystemClock{}
	}
	if s.Logger == nil {
		s.Logger = slog.New(slog.DiscardHandler)
	}
	if s.APIKeys = slices.Clone(s.APIKeys); len(s.APIKeys) == 0 {
		s.APIKeys = []string{newKey()}
	}
	return s, nil
}

// check refuses values that cannot be meant.
func (s *settings) check() error {
	switch {
	case !slices.Contains([]string{"", "memory", "disk"}, s.Storage):
		return fmt.Errorf("storage %q is not known: want memory or disk", s.Storage)
	case s.MemoryBytes < 0:
		return fmt.Errorf("memory of a sandbox is %d bytes: want 0 (no limit) or more", s.MemoryBytes)
	case s.Processes < 0:
		return fmt.Errorf("processes of a sandbox are %d: want 1 or more", s.Processes)
	case s.MaxSandboxes < 0:
		return fmt.Errorf("max sandboxes is %d: want 1 or more", s.MaxSandboxes)
	case s.MaxLife < 0:
		return fmt.Errorf("max life is %s: want more than 0", s.MaxLife)
	case slices.Contains(s.APIKeys, ""):
		return fmt.Errorf("an API key is empty")
	}
	return nil
}

// internet is what a sandbox gets whose creator did not say.
func (s *settings) internet() bool { return s.Internet == nil || *s.Internet }

// newKey makes a key of the form that the SDKs check for.
func newKey() string {
	var b [20]byte
	rand.Read(b[:]) // never fails: it ends the program instead
	return "e2b_" + hex.EncodeToString(b[:])
}
