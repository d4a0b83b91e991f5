package mcpserver

import (
	"context"
	"io"
	"time"

	"github.com/agentsandbox/agent-sandbox/sandboxclient"
)

// urlFunc gives the address of a port of a sandbox.
type urlFunc func(ctx context.Context, sandbox *sandboxclient.Sandbox, port int) (string, error)

// clientBackend is the backend behind a sandboxclient.
type clientBackend struct {
	client *sandboxclient.Client
	url    urlFunc // nil: Sandbox.URL
}

func (b *clientBackend) create(ctx context.Context, opts *sandboxclient.CreateOptions) (machine, error) {
	sandbox, err := b.client.Create(ctx, opts)
	if err != nil {
		return nil, err
	}
	return &clientMachine{sandbox, b.url}, nil
}

func (b *clientBackend) connect(ctx context.Context, id string, life time.Duration) (machine, error) {
	sandbox, err := b.client.Connect(ctx, id, &sandboxclient.ConnectOptions{Timeout: life})
	if err != nil {
		return nil, err
	}
	return &clientMachine{sandbox, b.url}, nil
}

func (b *clientBackend) metadata(ctx context.Context, id string) (map[string]string, error) {
	info, err := b.client.Get(ctx, id)
	if err != nil {
		return nil, err
	}
	return info.Metadata, nil
}

func (b *clientBackend) list(ctx context.Context, labels map[string]string) ([]*sandboxclient.SandboxInfo, error) {
	var all []*sandboxclient.SandboxInfo
	for info, err := range b.client.List(ctx, &sandboxclient.ListOptions{Metadata: labels}) {
		if err != nil {
			return nil, err
		}
		all = append(all, info)
	}
	return all, nil
}

func (b *clientBackend) setTimeout(ctx context.Context, id string, life time.Duration) error {
	return b.client.SetTimeout(ctx, id, life)
}

func (b *clientBackend) kill(ctx context.Context, id string) error { return b.client.Kill(ctx, id) }

// clientMachine is one sandbox behind a sandboxclient.
type clientMachine struct {
	sandbox *sandboxclient.Sandbox
	url     urlFunc
}

func (m *clientMachine) ID() string { return m.sandbox.ID }

func (m *clientMachine) URL(ctx context.Context, port int) (string, error) {
	if m.url != nil {
		return m.url(ctx, m.sandbox, port)
	}
	return m.sandbox.URL(port), nil
}

func (m *clientMachine) Run(ctx context.Context, command string, opts *sandboxclient.RunOptions) (*sandboxclient.Result, error) {
	return m.sandbox.Commands.Run(ctx, command, opts)
}

func (m *clientMachine) RunCode(ctx context.Context, code string, opts *sandboxclient.CodeOptions) (*sandboxclient.Execution, error) {
	return m.sandbox.Code.Run(ctx, code, opts)
}

func (m *clientMachine) CreateContext(ctx context.Context, opts *sandboxclient.ContextOptions) (*sandboxclient.CodeContext, error) {
	return m.sandbox.Code.CreateContext(ctx, opts)
}

func (m *clientMachine) Open(ctx context.Context, path string, offset, length int64) (io.ReadCloser, int64, error) {
	file, err := m.sandbox.Files.Open(ctx, path, &sandboxclient.ReadOptions{Offset: offset, Length: length})
	if err != nil {
		return nil, 0, err
	}
	return file, file.Size, nil
}

func (m *clientMachine) Write(ctx context.Context, path string, content io.Reader) error {
	return replaceFile(ctx, m.sandbox, path, content)
}

func (m *clientMachine) List(ctx context.Context, path string, depth int) ([]*sandboxclient.Entry, error) {
	return m.sandbox.Files.List(ctx, path, &sandboxclient.ListFilesOptions{Depth: depth})
}
