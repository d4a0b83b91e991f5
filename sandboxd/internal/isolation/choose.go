package isolation

import (
	"fmt"
	"log/slog"
	"runtime"
)

// Options are what all launchers of a server share.
type Options struct {
	StateDir string // base of the state directories; "" is the user's own
	Logger   *slog.Logger
	// AgentBinary is the Linux executable that a container runs as its agent;
	// "" is this executable, which must then be a Linux one.
	AgentBinary string
	// Image is the container image where a Spec names none.
	Image string
}

func (o *Options) logger() *slog.Logger {
	if o.Logger == nil {
		return slog.New(slog.DiscardHandler)
	}
	return o.Logger
}

// Choose makes the launcher of that name; "" is namespace on Linux and docker
// elsewhere. It never falls back to another: Probe tells whether it works.
func Choose(name string, opts *Options) (Launcher, error) {
	if opts == nil {
		opts = &Options{}
	}
	switch name {
	case "":
		return Choose(defaultName(), opts)
	case Namespace:
		return newNamespace(opts)
	case Docker:
		return newDocker(opts)
	case None:
		return newNone(opts)
	}
	return nil, fmt.Errorf("unknown isolation %q: use namespace, docker or none", name)
}

func defaultName() string {
	if runtime.GOOS == "linux" {
		return Namespace
	}
	return Docker
}
