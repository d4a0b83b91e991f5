//go:build unix

package isolation

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"syscall"

	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/proctree"
	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/reexec"
	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/state"
)

// none runs agents as ordinary processes of this user: nothing is hidden and
// nothing is forbidden. It is for machines that are a boundary themselves.
type none struct{ store *state.Store }

func newNone(opts *Options) (Launcher, error) {
	store, err := openStore(opts)
	if err != nil {
		return nil, err
	}
	return &none{store: store}, nil
}

func (n *none) Name() string                { return None }
func (n *none) Probe(context.Context) error { return nil }
func (n *none) Close() error                { return n.store.Close() }

func (n *none) Start(_ context.Context, spec *Spec) (Sandbox, error) {
	dir, err := n.store.Make(spec.ID)
	if err != nil {
		return nil, err
	}
	sandbox, err := startNone(dir, spec)
	if err != nil {
		state.Remove(dir) //nolint:errcheck // the first error is the one to tell
		return nil, err
	}
	return sandbox, nil
}

func startNone(dir string, spec *Spec) (Sandbox, error) {
	b := &boot{Place: nonePlace(dir), Config: spec.Agent, Owner: proctree.NewOwner()}
	if err := makeNoneDirs(dir, b); err != nil {
		return nil, err
	}
	sock, listener, err := listen(dir)
	if err != nil {
		return nil, err
	}
	defer listener.Close()
	cmd, err := reexec.Command(roleAgent)
	if err != nil {
		sock.close()
		return nil, err
	}
	cmd.Env = noneEnv(&b.Place)
	cmd.Dir = b.Place.Home
	cmd.ExtraFiles = []*os.File{listener}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	sandbox := &process{cmd: cmd, dir: dir, sock: sock, owner: b.Owner, limits: spec.Limits}
	if err := sandbox.start(b); err != nil {
		sock.close()
		return nil, err
	}
	return sandbox, nil
}

func nonePlace(dir string) Place {
	user := strconv.Itoa(os.Geteuid())
	if name := os.Getenv("USER"); name != "" {
		user = name
	}
	return Place{
		User: user,
		Home: filepath.Join(dir, "home", "user"),
		App:  filepath.Join(dir, "app"),
		Tmp:  filepath.Join(dir, "tmp"),
		Path: os.Getenv("PATH"),
	}
}

func makeNoneDirs(dir string, b *boot) error {
	for _, d := range []string{b.Place.Home, b.Place.App, b.Place.Tmp} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			return fmt.Errorf("make sandbox directory: %w", err)
		}
	}
	mark, err := json.Marshal(b.Owner)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, ownerName), mark, 0o600)
}

// noneEnv is all that the agent inherits: no secret of the server's
// environment reaches it.
func noneEnv(p *Place) []string {
	return []string{
		"PATH=" + p.Path, "HOME=" + p.Home, "TMPDIR=" + p.Tmp,
		"USER=" + p.User, "LOGNAME=" + p.User, "LANG=C.UTF-8",
	}
}
