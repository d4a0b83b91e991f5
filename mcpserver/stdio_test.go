package mcpserver_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/agentsandbox/agent-sandbox/mcpserver"
	"github.com/agentsandbox/agent-sandbox/sandboxclient"
)

// connectWith opens a session over ServeStdio; it ends with the test.
func connectWith(t testing.TB, server *mcpserver.Server, opts *mcp.ClientOptions) *mcp.ClientSession {
	t.Helper()
	fromClient, toServer := io.Pipe()
	fromServer, toClient := io.Pipe()
	served := make(chan error, 1)
	go func() { served <- server.ServeStdio(context.Background(), fromClient, toClient) }()
	client, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, opts).
		Connect(t.Context(), &mcp.IOTransport{Reader: fromServer, Writer: toServer}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = toServer.Close()
		if err := <-served; err != nil {
			t.Errorf("ServeStdio: %v", err)
		}
		_ = client.Close()
	})
	return client
}

const hello = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
`

func toolCall(id int, tool, arguments string) string {
	params := `{"name":"` + tool + `","arguments":` + arguments + `}`
	data, _ := json.Marshal(id)
	return `{"jsonrpc":"2.0","id":` + string(data) + `,"method":"tools/call","params":` + params + "}\n"
}

// reply is one line of output.
type reply struct {
	ID     *int
	Result struct {
		IsError bool
		Content []struct{ Text string }
	}
	Error *struct {
		Code    int
		Message string
	}
}

// serve feeds the input to ServeStdio, up to its end, and gives all replies.
func serve(t testing.TB, server *mcpserver.Server, in io.Reader) []reply {
	t.Helper()
	var out bytes.Buffer
	if err := server.ServeStdio(t.Context(), in, &out); err != nil {
		t.Errorf("ServeStdio: %v", err)
	}
	return readReplies(t, &out)
}

func readReplies(t testing.TB, out io.Reader) (replies []reply) {
	t.Helper()
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var r reply
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Errorf("output line %q: %v", lines.Text(), err)
		}
		replies = append(replies, r)
	}
	return replies
}

// printf '…' | abx mcp start: all that was asked is answered before the end.
func TestStdioAnswersAllBeforeItEnds(t *testing.T) {
	t.Parallel()
	fake := &mcpserver.FakeBackend{OnRun: func(ctx context.Context, command string, _ *sandboxclient.RunOptions) (*sandboxclient.Result, error) {
		select {
		case <-time.After(100 * time.Millisecond):
		case <-ctx.Done():
		}
		return &sandboxclient.Result{Stdout: mcpserver.FakeOutput(command)}, ctx.Err()
	}}
	in := hello + toolCall(1, "run_command", `{"command":"a"}`) + toolCall(2, "run_command", `{"command":"b"}`) +
		strings.TrimSpace(`{"jsonrpc":"2.0","id":3,"method":"tools/list"}`) // no line end
	answered := map[int]bool{}
	for _, r := range serve(t, mcpserver.NewFake(fake, nil), strings.NewReader(in)) {
		if r.ID == nil || r.Error != nil || r.Result.IsError {
			t.Errorf("reply %+v", r)
			continue
		}
		answered[*r.ID] = true
	}
	if len(answered) != 4 {
		t.Errorf("answered %v, want 0 to 3", answered)
	}
	if len(fake.Created()) != 1 || fake.Alive() != 0 {
		t.Errorf("%d sandboxes made, %d left", len(fake.Created()), fake.Alive())
	}
}

func TestStdioGoesOnAfterBadLines(t *testing.T) {
	t.Parallel()
	bad := []string{"garbage\n", "[]\n", "\ufeff{}\n", strings.Repeat("x", mcpserver.MaxLine+10) + "\n", "{\"jsonrpc\":\"1.0\",\"id\":5,\"method\":\"ping\"}\n"}
	in := strings.Join(bad, "") + hello + strings.Join(bad, "") + toolCall(1, "run_command", `{"command":"a"}`)
	failures, answered := 0, 0
	for _, r := range serve(t, mcpserver.NewFake(&mcpserver.FakeBackend{}, nil), strings.NewReader(in)) {
		if r.Error != nil {
			failures++
		} else {
			answered++
		}
	}
	if failures != 2*len(bad) || answered != 2 {
		t.Errorf("%d errors and %d answers, want %d and 2", failures, answered, 2*len(bad))
	}
}

func TestStdioWithoutInputEnds(t *testing.T) {
	t.Parallel()
	if got := serve(t, mcpserver.NewFake(&mcpserver.FakeBackend{}, nil), strings.NewReader("")); len(got) != 0 {
		t.Errorf("said %+v", got)
	}
}

// A call that outlasts the grace is stopped, answered, and the end comes soon.
func TestStdioEndStopsLongCalls(t *testing.T) {
	t.Parallel()
	fake := &mcpserver.FakeBackend{OnRun: func(ctx context.Context, _ string, _ *sandboxclient.RunOptions) (*sandboxclient.Result, error) {
		<-ctx.Done()
		return &sandboxclient.Result{Stdout: mcpserver.FakeOutput("half")}, &sandboxclient.Error{Code: sandboxclient.CodeCanceled, Err: ctx.Err()}
	}}
	began := time.Now()
	got := serve(t, mcpserver.NewFake(fake, nil), strings.NewReader(hello+toolCall(1, "run_command", `{"command":"sleep 60"}`)))
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("the end took %s", took)
	}
	last := got[len(got)-1]
	if len(got) != 2 || !last.Result.IsError || !strings.Contains(last.Result.Content[0].Text, "half") || !strings.Contains(last.Result.Content[0].Text, "session ended") {
		t.Errorf("replies %+v", got)
	}
	if fake.Alive() != 0 {
		t.Error("a sandbox lives on")
	}
}

// SIGTERM: the context ends while a call runs.
func TestStdioEndsWithItsContext(t *testing.T) {
	t.Parallel()
	working := make(chan struct{})
	fake := &mcpserver.FakeBackend{OnRun: func(ctx context.Context, _ string, _ *sandboxclient.RunOptions) (*sandboxclient.Result, error) {
		close(working)
		<-ctx.Done()
		return nil, ctx.Err()
	}}
	ctx, terminate := context.WithCancel(t.Context())
	in, feed := io.Pipe()
	defer func() { _ = feed.Close() }()
	var out bytes.Buffer
	served := make(chan error)
	go func() { served <- mcpserver.NewFake(fake, nil).ServeStdio(ctx, in, &out) }()
	_, _ = io.WriteString(feed, hello+toolCall(1, "run_command", `{"command":"sleep 60"}`))
	<-working
	terminate()
	if err := <-served; err != nil {
		t.Errorf("ServeStdio: %v", err)
	}
	if got := readReplies(t, &out); len(got) != 2 || !got[1].Result.IsError {
		t.Errorf("replies %+v", got)
	}
	if fake.Alive() != 0 {
		t.Error("a sandbox lives on")
	}
}

// breakingPipe takes some lines and then is gone, like a reader that died.
type breakingPipe struct{ lines int }

func (p *breakingPipe) Write(data []byte) (int, error) {
	if p.lines--; p.lines < 0 {
		return 0, syscall.EPIPE
	}
	return len(data), nil
}

func TestStdioEndsQuietlyWhenTheReaderIsGone(t *testing.T) {
	t.Parallel()
	fake := &mcpserver.FakeBackend{}
	in, feed := io.Pipe()
	defer func() { _ = feed.Close() }()
	served := make(chan error)
	go func() { served <- mcpserver.NewFake(fake, nil).ServeStdio(t.Context(), in, &breakingPipe{1}) }()
	_, _ = io.WriteString(feed, hello+toolCall(1, "run_command", `{"command":"a"}`))
	if err := <-served; err != nil {
		t.Errorf("ServeStdio: %v", err)
	}
	if fake.Alive() != 0 {
		t.Error("a sandbox lives on")
	}
}

func TestStdioReportsWhatLivesOn(t *testing.T) {
	t.Parallel()
	fake := &mcpserver.FakeBackend{OnKill: func(context.Context, string) error { return errors.New("not today") }}
	in := strings.NewReader(hello + toolCall(1, "create_sandbox", `{}`))
	err := mcpserver.NewFake(fake, nil).ServeStdio(t.Context(), in, io.Discard)
	if err == nil || !strings.Contains(err.Error(), "sb1") {
		t.Errorf("got %v, want the sandbox named", err)
	}
}
