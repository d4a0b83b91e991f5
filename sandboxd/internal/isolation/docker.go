package isolation

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"

	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/engine"
	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/state"
)

// defaultImage is what sandboxes run when nobody names an image.
const defaultImage = "python:3.13"

// Labels of our containers: the machine, and the store of the server that
// owns them, which is gone when the server is.
const (
	labelHost  = "abx.host"
	labelStore = "abx.store"
)

// docker runs each sandbox in a container of its own.
type docker struct {
	engine  *engine.Client
	store   *state.Store
	options *Options
	host    string
}

func newDocker(opts *Options) (Launcher, error) {
	client, err := engine.New("")
	if err != nil {
		return nil, err
	}
	store, err := openStore(opts)
	if err != nil {
		return nil, err
	}
	host, err := os.Hostname()
	if err != nil {
		return nil, errors.Join(fmt.Errorf("read host name: %w", err), store.Close())
	}
	return &docker{engine: client, store: store, options: opts, host: host}, nil
}

func (d *docker) Name() string { return Docker }

func (d *docker) Close() error {
	d.engine.Close()
	return d.store.Close()
}

func (d *docker) image(spec *Spec) string {
	return cmp.Or(spec.Image, d.options.Image, defaultImage)
}

// Probe asks for everything that a start needs, and removes the containers of
// servers that died.
func (d *docker) Probe(ctx context.Context) error {
	if err := d.engine.Ping(ctx); err != nil {
		return fmt.Errorf("docker isolation needs a running Docker engine (DOCKER_HOST names another than the usual): %w", err)
	}
	image := d.image(&Spec{})
	err := d.engine.HasImage(ctx, image)
	if engine.IsNotFound(err) {
		return fmt.Errorf("docker isolation needs the image %s: run \"docker pull %s\", or name another", image, image)
	}
	if err != nil {
		return err
	}
	agent, err := d.agentBinary()
	if err != nil {
		return err
	}
	agent.Close()
	return d.sweep(ctx)
}

// sweep removes the containers whose server is gone.
func (d *docker) sweep(ctx context.Context) error {
	list, err := d.engine.List(ctx, labelHost+"="+d.host)
	if err != nil {
		return err
	}
	for _, c := range list {
		if _, err := os.Stat(c.Labels[labelStore]); !os.IsNotExist(err) {
			continue
		}
		if err := d.engine.Remove(ctx, c.ID); err != nil {
			return err
		}
	}
	return nil
}

// agentFile is an executable and its size.
type agentFile struct {
	io.ReadCloser
	size int64
}

// agentBinary opens the executable that containers get as their agent.
func (d *docker) agentBinary() (*agentFile, error) {
	path := d.options.AgentBinary
	if path == "" && runtime.GOOS != "linux" {
		return nil, errors.New("docker isolation needs a Linux executable of this program as the agent: name one with --agent-binary")
	}
	if path == "" {
		path = "/proc/self/exe"
	}
	f, err := os.Open(filepath.Clean(path))
	if err != nil {
		return nil, fmt.Errorf("open agent executable: %w", err)
	}
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("open agent executable: %w", err)
	}
	return &agentFile{f, info.Size()}, nil
}

func (d *docker) Start(ctx context.Context, spec *Spec) (Sandbox, error) {
	if len(spec.Toolchains) > 0 {
		return nil, errors.New("start container: toolchains of the host do not work in containers: put them into the image")
	}
	s := &container{docker: d, spec: spec, limits: spec.Limits.withDefaults()}
	if err := s.start(ctx); err != nil {
		return nil, errors.Join(err, s.discard())
	}
	return s, nil
}
