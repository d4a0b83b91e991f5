package mcpserver

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/agentsandbox/agent-sandbox/sandboxclient"
)

// FakeBackend is a sandbox service in memory, under the control of a test. Its
// sandboxes hold files, echo commands and end when told to.
type FakeBackend struct {
	// OnCreate, OnKill, OnSetTimeout, OnRun and OnCode, where set, run before
	// the call they are named after, which fails with their error.
	OnCreate     func(ctx context.Context) error
	OnKill       func(ctx context.Context, id string) error
	OnSetTimeout func(ctx context.Context, id string, life time.Duration) error
	OnRun        func(ctx context.Context, command string, opts *sandboxclient.RunOptions) (*sandboxclient.Result, error)
	OnCode       func(ctx context.Context, code string, opts *sandboxclient.CodeOptions) (*sandboxclient.Execution, error)

	mu      sync.Mutex
	created []*FakeSandbox
	calls   []string
}

// FakeSandbox is one sandbox of a FakeBackend.
type FakeSandbox struct {
	backend *FakeBackend
	id      string
	Options *sandboxclient.CreateOptions

	mu    sync.Mutex
	ended bool
	files map[string][]byte
}

// NewFake makes a server on a FakeBackend.
func NewFake(fake *FakeBackend, opts *Options) *Server {
	if opts == nil {
		opts = &Options{}
	}
	return newServer(fake, opts)
}

// WithClock makes the server read the time from now.
func (o Options) WithClock(now func() time.Time) *Options {
	o.now = now
	return &o
}

// Created lists the sandboxes that ever were, in order.
func (f *FakeBackend) Created() []*FakeSandbox {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.created)
}

// Alive counts the sandboxes that have not ended.
func (f *FakeBackend) Alive() int {
	n := 0
	for _, s := range f.Created() {
		if !s.gone() {
			n++
		}
	}
	return n
}

// Calls lists the control-plane calls so far, such as "kill sb1".
func (f *FakeBackend) Calls() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.calls)
}

// Add makes a sandbox that no session knows of.
func (f *FakeBackend) Add(opts *sandboxclient.CreateOptions) *FakeSandbox {
	f.mu.Lock()
	defer f.mu.Unlock()
	s := &FakeSandbox{backend: f, id: fmt.Sprintf("sb%d", len(f.created)+1), Options: opts, files: map[string][]byte{}}
	f.created = append(f.created, s)
	return s
}

func (f *FakeBackend) note(format string, args ...any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.calls = append(f.calls, fmt.Sprintf(format, args...))
}

func (f *FakeBackend) find(id string) (*FakeSandbox, error) {
	for _, s := range f.Created() {
		if s.id == id && !s.gone() {
			return s, nil
		}
	}
	return nil, &sandboxclient.Error{Op: "find", Code: sandboxclient.CodeNotFound, Resource: sandboxclient.ResourceSandbox, SandboxID: id}
}

func (f *FakeBackend) create(ctx context.Context, opts *sandboxclient.CreateOptions) (machine, error) {
	f.note("create %s", opts.Template)
	if f.OnCreate != nil {
		if err := f.OnCreate(ctx); err != nil {
			return nil, err
		}
	}
	return f.Add(opts), nil
}

func (f *FakeBackend) connect(_ context.Context, id string, life time.Duration) (machine, error) {
	f.note("connect %s %s", id, life)
	s, err := f.find(id)
	if err != nil {
		return nil, err
	}
	return s, nil
}

func (f *FakeBackend) metadata(_ context.Context, id string) (map[string]string, error) {
	f.note("metadata %s", id)
	s, err := f.find(id)
	if err != nil {
		return nil, err
	}
	return s.Options.Metadata, nil
}

func (f *FakeBackend) list(_ context.Context, labels map[string]string) ([]*sandboxclient.SandboxInfo, error) {
	f.note("list")
	var all []*sandboxclient.SandboxInfo
	for i, s := range f.Created() {
		matches := !s.gone()
		for name, value := range labels {
			matches = matches && s.Options.Metadata[name] == value
		}
		if matches {
			info := &sandboxclient.SandboxInfo{}
			info.SandboxID, info.Metadata, info.StartedAt = s.id, s.Options.Metadata, time.Unix(int64(i), 0)
			all = append(all, info)
		}
	}
	return all, nil
}

func (f *FakeBackend) setTimeout(ctx context.Context, id string, life time.Duration) error {
	f.note("timeout %s %s", id, life)
	if f.OnSetTimeout != nil {
		return f.OnSetTimeout(ctx, id, life)
	}
	_, err := f.find(id)
	return err
}

func (f *FakeBackend) kill(ctx context.Context, id string) error {
	f.note("kill %s", id)
	if f.OnKill != nil {
		if err := f.OnKill(ctx, id); err != nil {
			return err
		}
	}
	s, err := f.find(id)
	if err == nil {
		s.End()
	}
	return err
}

// ID is the id of the sandbox.
func (s *FakeSandbox) ID() string { return s.id }

// URL is a made-up address.
func (s *FakeSandbox) URL(_ context.Context, port int) (string, error) {
	return fmt.Sprintf("https://%d-%s.example.test", port, s.id), nil
}

// End lets the sandbox expire.
func (s *FakeSandbox) End() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended = true
}

func (s *FakeSandbox) gone() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ended
}

func (s *FakeSandbox) check() error {
	if s.gone() {
		return &sandboxclient.Error{Op: "reach", Code: sandboxclient.CodeSandboxGone, SandboxID: s.id, Message: "The sandbox was not found"}
	}
	return nil
}

// Run echoes the command, unless the backend says otherwise.
func (s *FakeSandbox) Run(ctx context.Context, command string, opts *sandboxclient.RunOptions) (*sandboxclient.Result, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	if command == "pwd" { // the manager's own question, not a test's
		return &sandboxclient.Result{Stdout: FakeOutput("/work\n")}, nil
	}
	if s.backend.OnRun != nil {
		return s.backend.OnRun(ctx, command, opts)
	}
	return &sandboxclient.Result{Stdout: FakeOutput(command)}, nil
}

// RunCode echoes the code, unless the backend says otherwise.
func (s *FakeSandbox) RunCode(ctx context.Context, code string, opts *sandboxclient.CodeOptions) (*sandboxclient.Execution, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	if s.backend.OnCode != nil {
		return s.backend.OnCode(ctx, code, opts)
	}
	return &sandboxclient.Execution{Stdout: FakeOutput(code), ExecutionCount: 1}, nil
}

// CreateContext names the context after its language.
func (s *FakeSandbox) CreateContext(_ context.Context, opts *sandboxclient.ContextOptions) (*sandboxclient.CodeContext, error) {
	s.backend.note("context %s %s", opts.Language, opts.Cwd)
	return &sandboxclient.CodeContext{ID: "ctx-" + opts.Language, Language: opts.Language, Cwd: opts.Cwd}, s.check()
}

// Open reads a file that Write made.
func (s *FakeSandbox) Open(_ context.Context, path string, offset, length int64) (io.ReadCloser, int64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	data, ok := s.files[path]
	if !ok {
		return nil, 0, &sandboxclient.Error{Op: "read", Code: sandboxclient.CodeNotFound, Resource: sandboxclient.ResourcePath, Message: "no " + path}
	}
	size := int64(len(data))
	end := size
	if length > 0 {
		end = min(size, offset+length)
	}
	part := data[min(offset, size):max(end, min(offset, size))]
	return io.NopCloser(bytes.NewReader(part)), size, nil
}

// Write keeps a file in memory.
func (s *FakeSandbox) Write(_ context.Context, path string, content io.Reader) error {
	data, err := io.ReadAll(content)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.files[path] = data
	return errors.Join(err)
}

// List gives the files below a directory.
func (s *FakeSandbox) List(_ context.Context, path string, _ int) ([]*sandboxclient.Entry, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var entries []*sandboxclient.Entry
	for name, data := range s.files {
		if strings.HasPrefix(name, strings.TrimSuffix(path, "/")+"/") {
			base := name[strings.LastIndex(name, "/")+1:]
			entries = append(entries, &sandboxclient.Entry{Name: base, Path: name, Type: sandboxclient.EntryFile, Size: int64(len(data))})
		}
	}
	return entries, nil
}

// FakeOutput is a stream with nothing dropped.
func FakeOutput(s string) sandboxclient.Output {
	return sandboxclient.Output{Head: []byte(s), Total: int64(len(s))}
}
