package backend

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/agentsandbox/agent-sandbox/abx/internal/cmdutil"
	"github.com/agentsandbox/agent-sandbox/mcpserver"
	"github.com/agentsandbox/agent-sandbox/sandboxclient"
	"github.com/agentsandbox/agent-sandbox/sandboxd"
)

// LocalOptions shape sandboxes on this machine.
type LocalOptions struct {
	Isolation  string
	Storage    string
	StateDir   string
	Image      string
	Toolchains string // comma-separated, so that the struct stays comparable
	MemoryMB   int64
	NoInternet bool
}

// Add adds the flags of the options.
func (o *LocalOptions) Add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&o.Isolation, "isolation", "", "how local sandboxes are walled off: `KIND` is namespace, docker or none (default: the best that works here; never none)")
	flags.StringVar(&o.Storage, "storage", "", "where local sandboxes keep files: memory (limited to 1 GiB each) or disk")
	flags.StringVar(&o.StateDir, "state-dir", "", "`DIR` for the state of local sandboxes")
	flags.StringVar(&o.Image, "image", "", "`IMAGE` for docker isolation")
	flags.StringVar(&o.Toolchains, "toolchain", "", "comma-separated `DIRS` with interpreters to show inside local sandboxes, read-only")
	flags.Int64Var(&o.MemoryMB, "memory", 0, "memory limit of a local sandbox in `MB`")
	flags.BoolVar(&o.NoInternet, "no-internet", false, "keep local sandboxes off the internet")
}

// Server makes the local backend, which serves nobody yet.
func (o *LocalOptions) Server(log *slog.Logger) (*sandboxd.Server, error) {
	opts := &sandboxd.Options{
		Isolation: o.Isolation, Storage: o.Storage, StateDir: o.StateDir, Image: o.Image,
		MemoryBytes: o.MemoryMB << 20, Workdir: "/app", Logger: log,
	}
	if o.Toolchains != "" {
		opts.Toolchains = strings.Split(o.Toolchains, ",")
	}
	if o.NoInternet {
		opts.Internet = new(bool)
	}
	return sandboxd.New(opts)
}

func openLocal(f *cmdutil.Factory, o *LocalOptions) (*Backend, error) {
	server, err := o.Server(f.Logger())
	if err != nil {
		return nil, err
	}
	client, err := sandboxclient.New(server.APIKey(), &sandboxclient.Options{
		APIURL: inMemoryURL, SandboxURL: inMemoryURL, HTTPClient: server.HTTPClient(),
		Logger: f.Logger(), UserAgent: "abx/" + f.Version, Header: mcpserver.TraceHeader,
	})
	if err != nil {
		_ = server.Close()
		return nil, err
	}
	l := &listener{server: server}
	return &Backend{Client: client, Secrets: []string{server.APIKey()}, URL: l.url, close: l.close}, nil
}

// inMemoryURL is dialled through the server's own client: no port is opened.
const inMemoryURL = "http://localhost"

// listener opens a port the first time that a sandbox's URL is asked for.
type listener struct {
	server *sandboxd.Server

	mu   sync.Mutex
	addr net.Addr
	done chan error
}

func (l *listener) url(_ context.Context, sandbox *sandboxclient.Sandbox, port int) (string, error) {
	addr, err := l.open()
	if err != nil {
		return "", err
	}
	_, listenPort, err := net.SplitHostPort(addr.String())
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("http://%d-%s.localhost:%s", port, sandbox.ID, listenPort), nil
}

func (l *listener) open() (net.Addr, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.addr != nil {
		return l.addr, nil
	}
	tcp, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("open a port for sandboxes: %w", err)
	}
	l.addr, l.done = tcp.Addr(), make(chan error, 1)
	go func() { l.done <- l.server.Serve(tcp) }()
	return l.addr, nil
}

func (l *listener) close() error {
	err := l.server.Close()
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.done != nil {
		<-l.done
	}
	return err
}
