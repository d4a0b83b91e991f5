package isolation

import (
	"archive/tar"
	"context"
	"fmt"
	"io"
	"time"

	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/engine"
	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/reexec"
	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/tunnel"
)

// agentPath is the agent in a container.
const agentPath = "/.abx/" + reexec.Name

// containerUID is the user id of sandboxUser in containers, and its group.
const containerUID = 1000

// containerCapabilities are what the agent needs to run commands as other
// users and to serve their files; those of the usual container are more.
var containerCapabilities = []string{"CHOWN", "DAC_OVERRIDE", "FOWNER", "KILL", "NET_BIND_SERVICE", "SETGID", "SETUID"}

func (c *container) config() *engine.Config {
	return &engine.Config{
		Image: c.docker.image(c.spec), Hostname: c.hostname(), User: "0:0", WorkingDir: "/",
		Entrypoint: reexec.ArgsAt(agentPath, roleContained), Cmd: []string{},
		Labels:      map[string]string{labelHost: c.docker.host, labelStore: c.docker.store.Path()},
		AttachStdin: true, AttachStdout: true, AttachStderr: true, OpenStdin: true, StdinOnce: true,
		HostConfig: engine.HostConfig{
			NetworkMode: "none", Init: true,
			CapDrop: []string{"ALL"}, CapAdd: containerCapabilities,
			SecurityOpt: []string{"no-new-privileges"},
			PidsLimit:   int64(c.limits.Processes), Memory: c.limits.Memory, MemorySwap: c.limits.Memory,
			OomScoreAdj: 1000,
			Ulimits: []engine.Ulimit{
				{Name: "core"},
				{Name: "nofile", Soft: int64(c.limits.OpenFiles), Hard: int64(c.limits.OpenFiles)},
				{Name: "fsize", Soft: c.limits.FileSize, Hard: c.limits.FileSize},
			},
			LogConfig: engine.LogConfig{Type: "none"},
		},
	}
}

// hostname is at most the 63 bytes that a container's may have.
func (c *container) hostname() string {
	name := c.spec.Hostname
	if name == "" {
		name = c.spec.ID
	}
	return name[:min(len(name), 63)]
}

// start brings the container up. What it made before an error, discard
// removes.
func (c *container) start(ctx context.Context) (err error) {
	if c.id, err = c.docker.engine.Create(ctx, "abx-"+c.spec.ID, c.config()); err != nil {
		return err
	}
	if err := c.copyAgent(ctx); err != nil {
		return err
	}
	if c.stream, err = c.docker.engine.Attach(ctx, c.id, &c.stderr); err != nil {
		return err
	}
	if err := c.docker.engine.Start(ctx, c.id); err != nil {
		return err
	}
	if err := writeFrame(c.stream, &boot{Place: c.place(), Config: c.spec.Agent}); err != nil {
		return fmt.Errorf("send start message: %w", err)
	}
	if c.tunnel, err = tunnel.NewHost(ctx, c.stream); err != nil {
		return err
	}
	return c.running()
}

// copyAgent puts the agent and the directories of the sandbox's user into the
// container.
func (c *container) copyAgent(ctx context.Context) error {
	agent, err := c.docker.agentBinary()
	if err != nil {
		return err
	}
	defer agent.Close()
	r, w := io.Pipe()
	packed := make(chan error, 1)
	go func() {
		err := pack(w, agent)
		w.CloseWithError(err) //nolint:errcheck // never fails
		packed <- err
	}()
	err = c.docker.engine.Upload(ctx, c.id, "/", r)
	r.Close() //nolint:errcheck // never fails
	if packErr := <-packed; err == nil {
		err = packErr
	}
	return err
}

func pack(w io.Writer, agent *agentFile) error {
	archive := tar.NewWriter(w)
	now := time.Now()
	for _, h := range []*tar.Header{
		{Name: ".abx/", Typeflag: tar.TypeDir, Mode: 0o755},
		{Name: "home/user/", Typeflag: tar.TypeDir, Mode: 0o755, Uid: containerUID, Gid: containerUID},
		{Name: "app/", Typeflag: tar.TypeDir, Mode: 0o755, Uid: containerUID, Gid: containerUID},
		{Name: "tmp/", Typeflag: tar.TypeDir, Mode: 0o1777},
		{Name: agentPath[1:], Typeflag: tar.TypeReg, Mode: 0o755, Size: agent.size},
	} {
		h.ModTime = now
		if err := archive.WriteHeader(h); err != nil {
			return fmt.Errorf("pack agent: %w", err)
		}
	}
	if _, err := io.Copy(archive, agent); err != nil {
		return fmt.Errorf("pack agent: %w", err)
	}
	return archive.Close()
}
