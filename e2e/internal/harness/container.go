package harness

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/netip"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/moby/moby/api/types/container"
	"github.com/moby/moby/api/types/network"
	"github.com/moby/moby/client"
	"github.com/testcontainers/testcontainers-go"
	"github.com/testcontainers/testcontainers-go/wait"
)

const (
	// label marks the containers of one test process; its value is the image.
	label = "abx-e2e"
	// servicePort is where sandboxd listens in its container.
	servicePort = "3000/tcp"
	// stateDir is where Dockerfile has sandboxd keep the files of sandboxes.
	stateDir = "/var/lib/sandboxd"
)

// box is a sandboxd in a container.
type box struct {
	*testcontainers.DockerContainer

	docker *testcontainers.DockerClient
}

func startContainer(ctx context.Context, t testing.TB, key string, opts *BackendOptions) (machine, string, error) {
	t.Helper()
	tag, err := image()
	if err != nil {
		return nil, "", err
	}
	docker, err := dockerClient(ctx)
	if err != nil {
		return nil, "", fmt.Errorf("reach engine: %w", err)
	}
	address, err := freeAddress()
	if err != nil {
		return nil, "", err
	}
	c, err := testcontainers.Run(ctx, tag, request(tag, netip.MustParseAddrPort(address), key, opts)...)
	b := &box{DockerContainer: c, docker: docker}
	if c == nil {
		return nil, "", err
	}
	return b, "http://" + address, err
}

// request describes the container. The port is a fixed one, because the engine
// would choose another after a restart.
func request(tag string, address netip.AddrPort, key string, opts *BackendOptions) []testcontainers.ContainerCustomizer {
	list := []testcontainers.ContainerCustomizer{
		testcontainers.WithEnv(map[string]string{"SANDBOXD_API_KEY": key}),
		testcontainers.WithLabels(map[string]string{label: tag}),
		testcontainers.WithCmd(opts.Args...),
		testcontainers.WithExposedPorts(servicePort),
		testcontainers.WithWaitStrategy(wait.ForLog("ABX_SANDBOX_API_KEY").WithPollInterval(20 * time.Millisecond)),
		testcontainers.WithHostConfigModifier(func(host *container.HostConfig) {
			reap := true // processes that lost their parent
			host.Init = &reap
			host.PortBindings = network.PortMap{
				network.MustParsePort(servicePort): {{HostIP: address.Addr(), HostPort: strconv.Itoa(int(address.Port()))}},
			}
		}),
	}
	if opts.DiskMB > 0 {
		list = append(list, testcontainers.WithTmpfs(map[string]string{stateDir: fmt.Sprintf("size=%dm,exec", opts.DiskMB)}))
	}
	return list
}

// freeAddress is a loopback address that nobody listens on at the moment.
func freeAddress() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return l.Addr().String(), l.Close()
}

func (b *box) pause(ctx context.Context) error {
	_, err := b.docker.ContainerPause(ctx, b.ID, client.ContainerPauseOptions{})
	return err
}

func (b *box) resume(ctx context.Context) error {
	_, err := b.docker.ContainerUnpause(ctx, b.ID, client.ContainerUnpauseOptions{})
	return err
}

func (b *box) kill(ctx context.Context) error {
	dead := b.docker.ContainerWait(ctx, b.ID, client.ContainerWaitOptions{Condition: container.WaitConditionNotRunning})
	if _, err := b.docker.ContainerKill(ctx, b.ID, client.ContainerKillOptions{Signal: "KILL"}); err != nil {
		return err
	}
	select {
	case <-dead.Result:
		return nil
	case err := <-dead.Error:
		return err
	}
}

func (b *box) start(ctx context.Context) error {
	_, err := b.docker.ContainerStart(ctx, b.ID, client.ContainerStartOptions{})
	return err
}

func (b *box) logs() string {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	r, err := b.Logs(ctx)
	if err != nil {
		return err.Error()
	}
	defer r.Close()
	text, err := io.ReadAll(r)
	if err != nil {
		return err.Error()
	}
	return strings.ToValidUTF8(string(text), "")
}

func (b *box) close(ctx context.Context) error {
	err := b.Terminate(ctx, testcontainers.StopTimeout(10*time.Second))
	_ = b.docker.Close() // it has no state but idle connections
	return err
}

// Containers counts the containers of this process, ended ones included.
func Containers(ctx context.Context, t testing.TB) int {
	t.Helper()
	docker, err := dockerClient(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer docker.Close()
	list, err := docker.ContainerList(ctx, client.ContainerListOptions{
		All: true, Filters: make(client.Filters).Add("label", label+"="+imageTag()),
	})
	if err != nil {
		t.Fatal(err)
	}
	return len(list.Items)
}
