package fctest

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// reachable is an address that a server on 0.0.0.0 answers and one on 127.0.0.1
// does not: FC reaches an instance from outside.
var reachable = sync.OnceValue(func() string {
	addresses, _ := net.InterfaceAddrs() // none: see below
	for _, address := range addresses {
		if ip, ok := address.(*net.IPNet); ok && ip.IP.To4() != nil && ip.IP.IsGlobalUnicast() {
			return ip.IP.String()
		}
	}
	return "127.0.0.2" // a machine without a network: loopback, but another address
})

const stopTimeout = 5 * time.Second

// instance is one running copy of a function.
type instance struct {
	id     string
	launch launch
	name   string // of the function
	port   string
	ready  chan struct{} // closed when it listens, or will not
	err    error         // why it does not listen; read after ready
	ended  chan struct{}
	ending chan struct{} // closed by stop

	// Guarded by the gateway.
	inFlight  int
	unbound   int // requests in flight without a session: each may begin one
	idleSince time.Time
}

func newInstance(l launch, function string) *instance {
	return &instance{id: "c-" + newID(), launch: l, name: function,
		ready: make(chan struct{}), ended: make(chan struct{}), ending: make(chan struct{})}
}

func (i *instance) address() string { return net.JoinHostPort(reachable(), i.port) }

// run starts the program in a fresh directory and returns when it has ended.
func (i *instance) run(startTimeout time.Duration) {
	defer close(i.ended)
	dir, err := os.MkdirTemp("", "fctest-code-")
	if err != nil {
		i.fail(err)
		return
	}
	defer func() { _ = os.RemoveAll(dir) }() // a leftover in the temp directory at worst
	cmd, err := i.command(dir)
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		i.fail(err)
		return
	}
	exited := make(chan error, 1)
	go func() { exited <- cmd.Wait() }()
	if err := i.awaitPort(exited, startTimeout); err != nil {
		i.fail(err)
	} else {
		close(i.ready)
		i.awaitStop(exited)
	}
	i.terminate(cmd, exited)
}

func (i *instance) fail(err error) {
	i.err = err
	close(i.ready)
}

func (i *instance) command(dir string) (*exec.Cmd, error) {
	if err := unpack(i.launch.code, dir); err != nil {
		return nil, err
	}
	port, err := freePort()
	if err != nil {
		return nil, err
	}
	i.port = port
	words := make([]string, len(i.launch.command))
	for n, word := range i.launch.command {
		words[n] = word
		if rest, ok := strings.CutPrefix(word, "/code/"); ok {
			words[n] = filepath.Join(dir, rest)
		}
	}
	cmd := exec.Command(words[0], words[1:]...)
	cmd.Dir, cmd.Env = dir, i.environ(dir)
	cmd.Stdout, cmd.Stderr = i.launch.options.Output, i.launch.options.Output
	cmd.WaitDelay = stopTimeout
	return cmd, nil
}

// environ is what FC gives a custom runtime: the configured variables and its
// own, nothing of the host's.
func (i *instance) environ(dir string) []string {
	env := []string{
		"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=/tmp", "FC_FUNC_CODE_PATH=" + dir, "FC_ACCOUNT_ID=" + i.launch.options.AccountID,
		"FC_FUNCTION_NAME=" + i.name, "FC_REGION=" + i.launch.options.Region, "FC_INSTANCE_ID=" + i.id,
		"FC_QUALIFIER=LATEST", "FC_CUSTOM_LISTEN_PORT=" + i.port,
	}
	for _, name := range sortedKeys(i.launch.env) {
		env = append(env, name+"="+i.launch.env[name])
	}
	return env
}

func (i *instance) awaitPort(exited chan error, timeout time.Duration) error {
	deadline := time.After(timeout)
	for {
		if conn, err := net.DialTimeout("tcp", i.address(), time.Second); err == nil {
			return conn.Close()
		}
		select {
		case err := <-exited:
			exited <- err
			return fmt.Errorf("CAExited: the start program ended: %v", err)
		case <-i.ending:
			return errors.New("the instance was stopped")
		case <-deadline:
			return fmt.Errorf("Function instance health check failed on port %s in %v", i.port, timeout)
		case <-time.After(10 * time.Millisecond):
		}
	}
}

func (i *instance) awaitStop(exited chan error) {
	select {
	case <-i.ending:
	case err := <-exited:
		exited <- err
	}
}

// stop asks the instance to end; run returns when it has.
func (i *instance) stop() { close(i.ending) }

func (i *instance) terminate(cmd *exec.Cmd, exited chan error) {
	_ = cmd.Process.Signal(syscall.SIGTERM) // it may have ended
	select {
	case <-exited:
	case <-time.After(stopTimeout):
		_ = cmd.Process.Kill() // see above
		<-exited
	}
}

func freePort() (string, error) {
	listener, err := net.Listen("tcp", "0.0.0.0:0")
	if err != nil {
		return "", fmt.Errorf("find a port: %w", err)
	}
	port := listener.Addr().(*net.TCPAddr).Port
	return strconv.Itoa(port), listener.Close()
}

func unpack(code []byte, dir string) error {
	archive, err := zip.NewReader(bytes.NewReader(code), int64(len(code)))
	if err != nil {
		return fmt.Errorf("unpack code: %w", err)
	}
	if err := os.CopyFS(dir, archive); err != nil {
		return fmt.Errorf("unpack code: %w", err)
	}
	for _, entry := range archive.File { // CopyFS leaves the umask in charge
		if err := os.Chmod(filepath.Join(dir, filepath.FromSlash(entry.Name)), entry.Mode().Perm()); err != nil {
			return fmt.Errorf("unpack code: %w", err)
		}
	}
	return nil
}
