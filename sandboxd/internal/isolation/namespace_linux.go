package isolation

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/rootfs"
	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/state"
)

// systemPath is where a sandbox finds the host's programs. Languages are
// looked up here and never on the PATH of the server's user, whose shims lead
// into a home that is not there.
const systemPath = "/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin"

// userPath is where package managers put what the sandbox's user installs.
const userPath = "/home/user/.local/bin:/home/user/.npm-global/bin"

// namespace runs each sandbox in Linux namespaces of its own, as root and as
// an ordinary user alike.
type namespace struct {
	store   *state.Store
	spawn   *spawner
	uids    *uids
	starts  chan struct{} // bounds the starts at a time to what the CPUs do at once
	probe   func() error
	options *Options
}

func newNamespace(opts *Options) (Launcher, error) {
	store, err := openStore(opts)
	if err != nil {
		return nil, err
	}
	n := &namespace{
		store: store, spawn: newSpawner(), uids: newUIDs(),
		starts:  make(chan struct{}, max(2, runtime.GOMAXPROCS(0))),
		options: opts,
	}
	n.probe = sync.OnceValue(n.tryOut)
	return n, nil
}

func (n *namespace) Name() string { return Namespace }

func (n *namespace) Close() error {
	n.spawn.close()
	return n.store.Close()
}

// Probe builds a sandbox without an agent. The settings of a system alone do
// not tell whether it lets one be built; they only word the error.
func (n *namespace) Probe(context.Context) error { return n.probe() }

func (n *namespace) tryOut() error {
	ctx, cancel := context.WithTimeout(context.Background(), killTimeout)
	defer cancel()
	s, err := n.start(ctx, &Spec{ID: "probe-" + machineID()[:12]}, true)
	if err != nil {
		return err
	}
	return s.Kill(ctx)
}

func (n *namespace) Start(ctx context.Context, spec *Spec) (Sandbox, error) {
	s, err := n.start(ctx, spec, false)
	if err != nil {
		return nil, err
	}
	return s, nil
}

func (n *namespace) start(ctx context.Context, spec *Spec, probe bool) (*nsSandbox, error) {
	select {
	case n.starts <- struct{}{}:
		defer func() { <-n.starts }()
	case <-ctx.Done():
		return nil, fmt.Errorf("start sandbox: %w", context.Cause(ctx))
	}
	s := &nsSandbox{launcher: n, spec: spec, limits: spec.Limits.withDefaults(), probe: probe}
	if err := s.start(ctx); err != nil {
		s.discard()
		return nil, explain(err, readFacts())
	}
	return s, nil
}

// checkToolchain refuses a prefix that would show more than a toolchain.
func checkToolchain(prefix, stateDir string) error {
	switch {
	case !filepath.IsAbs(prefix) || filepath.Clean(prefix) != prefix:
		return fmt.Errorf("toolchain %q: give a clean absolute path", prefix)
	case within(stateDir, prefix):
		return fmt.Errorf("toolchain %s contains the directories of other sandboxes", prefix)
	case isHome(prefix) || prefix == "/" || len(strings.Split(prefix, "/")) == 2 && prefix != "/nix":
		return fmt.Errorf("toolchain %s shows too much: name the installation's own directory", prefix)
	}
	if _, err := os.Stat(prefix); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("toolchain %s does not exist", prefix)
	}
	return nil
}

// within reports whether path lies in dir or is it.
func within(path, dir string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, "../")
}

func isHome(path string) bool {
	home, err := os.UserHomeDir()
	if err == nil && within(home, path) {
		return true
	}
	return filepath.Dir(path) == "/home"
}

// place is where the agent of a namespace sandbox finds itself.
func (s *nsSandbox) place() Place {
	path := []string{userPath}
	for _, prefix := range s.spec.Toolchains {
		path = append(path, filepath.Join(prefix, "bin"))
	}
	return Place{
		User: sandboxUser, Home: "/home/user", App: "/app", Tmp: "/tmp",
		Path: strings.Join(append(path, systemPath), ":"),
		Env:  s.environment(),
	}
}

// installEnv lets package managers install into the home, the only place that
// the sandbox's user can write: a Python that the distribution manages refuses
// otherwise.
var installEnv = map[string]string{
	"LANG":                      "C.UTF-8",
	"PIP_BREAK_SYSTEM_PACKAGES": "1",
	"PIP_USER":                  "1",
	"PYTHONUSERBASE":            "/home/user/.local",
	"npm_config_prefix":         "/home/user/.npm-global",
}

func (s *nsSandbox) layout(dir string) *rootfs.Layout {
	l := &rootfs.Layout{
		User: sandboxUser, Hostname: s.hostname(), MachineID: machineID(),
		StoreSize: s.limits.Storage, Prefixes: s.spec.Toolchains, Path: s.place().Path,
	}
	if s.spec.Storage == StorageDisk {
		l.StoreDir = filepath.Join(dir, dataName)
	}
	return l
}

func (s *nsSandbox) hostname() string {
	if s.spec.Hostname != "" {
		return s.spec.Hostname
	}
	return s.spec.ID
}
