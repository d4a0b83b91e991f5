package harness

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/testcontainers/testcontainers-go"
	"github.com/testcontainers/testcontainers-go/log"
)

// engine says why containers cannot be had, or nil. scripts/docker.sh starts an
// engine where there can be one.
var engine = sync.OnceValue(func() error {
	if err := probeEngine(); err != nil {
		fmt.Printf("\n!!! THE CONTAINER HALF OF THESE TESTS DOES NOT RUN: %v\n"+
			"!!! The backend is a plain process instead. scripts/docker.sh starts an engine.\n\n", err)
		return err
	}
	return nil
})

func probeEngine() error {
	if runtime.GOOS == "windows" {
		return errors.New("the image is built by a shell script")
	}
	if _, err := exec.LookPath("docker"); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	var out Log
	cmd := exec.CommandContext(ctx, "docker", "info")
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := Run(cmd); err != nil {
		return fmt.Errorf("docker info: %w: %.200s", err, &out)
	}
	setUpTestcontainers()
	_, err := image()
	return err
}

// setUpTestcontainers has the library do without the helper container that it
// would pull, and find the engine's ports from within a container.
func setUpTestcontainers() {
	log.SetDefault(log.NewNoopLogger())
	defaults := map[string]string{"TESTCONTAINERS_RYUK_DISABLED": "true"}
	if _, err := os.Stat("/.dockerenv"); err == nil {
		defaults["TESTCONTAINERS_HOST_OVERRIDE"] = "127.0.0.1"
	}
	for name, value := range defaults {
		if os.Getenv(name) == "" {
			_ = os.Setenv(name, value) // fails for malformed names only
		}
	}
}

// dockerClient is a client of the engine.
func dockerClient(ctx context.Context) (*testcontainers.DockerClient, error) {
	return testcontainers.NewDockerClientWithOpts(ctx)
}

// NeedContainer skips the test where there is no engine.
func NeedContainer(t testing.TB) {
	t.Helper()
	if err := engine(); err != nil {
		t.Skipf("this can only be tried in a container: %v", err)
	}
}
