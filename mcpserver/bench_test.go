package mcpserver_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"testing"
	"time"

	"github.com/agentsandbox/agent-sandbox/mcpserver"
	"github.com/agentsandbox/agent-sandbox/sandboxclient"
)

// BenchmarkAddedPerCall runs the same command directly through sandboxclient
// and as a tool call over STDIO, alternately, against one backend. The metric
// added-µs is the difference of the medians: what the server itself costs.
func BenchmarkAddedPerCall(b *testing.B) {
	r := onReal(b, nil, nil)
	client, err := sandboxclient.New(r.backend.APIKey, &sandboxclient.Options{APIURL: r.backend.URL, SandboxURL: r.backend.URL})
	if err != nil {
		b.Fatal(err)
	}
	sandbox, err := client.Create(b.Context(), nil)
	if err != nil {
		b.Fatal(err)
	}
	pipe := newPipe(b, r.server)
	pipe.call(b, "run_command", `{"command":"true"}`)
	var direct, through []time.Duration
	for b.Loop() {
		direct = append(direct, timed(func() {
			if _, err := sandbox.Commands.Run(b.Context(), "true", &sandboxclient.RunOptions{Timeout: time.Minute}); err != nil {
				b.Fatal(err)
			}
		}))
		through = append(through, timed(func() { pipe.call(b, "run_command", `{"command":"true"}`) }))
	}
	b.ReportMetric(micros(median(through)-median(direct)), "added-µs")
	b.ReportMetric(micros(median(direct)), "direct-µs")
}

// BenchmarkCall is a tool call over STDIO on a backend that costs nothing.
func BenchmarkCall(b *testing.B) {
	pipe := newPipe(b, mcpserver.NewFake(&mcpserver.FakeBackend{}, nil))
	pipe.call(b, "run_command", `{"command":"true"}`)
	b.ReportAllocs()
	for b.Loop() {
		pipe.call(b, "run_command", `{"command":"true"}`)
	}
}

// BenchmarkListTools is tools/list over STDIO.
func BenchmarkListTools(b *testing.B) {
	pipe := newPipe(b, mcpserver.NewFake(&mcpserver.FakeBackend{}, nil))
	b.ReportAllocs()
	for b.Loop() {
		pipe.request(b, "tools/list", `{}`)
	}
}

func timed(f func()) time.Duration {
	began := time.Now()
	f()
	return time.Since(began)
}

func median(d []time.Duration) time.Duration {
	slices.Sort(d)
	return d[len(d)/2]
}

func micros(d time.Duration) float64 { return float64(d) / float64(time.Microsecond) }

// rawPipe is a client that writes and reads lines, and nothing else, so that a
// measurement is of the server.
type rawPipe struct {
	in  io.WriteCloser
	out *bufio.Reader
	id  int
}

func newPipe(t testing.TB, server *mcpserver.Server) *rawPipe {
	t.Helper()
	fromClient, toServer := io.Pipe()
	fromServer, toClient := io.Pipe()
	served := make(chan error, 1)
	go func() { served <- server.ServeStdio(context.Background(), fromClient, toClient) }()
	p := &rawPipe{in: toServer, out: bufio.NewReaderSize(fromServer, 1<<20), id: 1}
	t.Cleanup(func() {
		_ = toServer.Close()
		if err := <-served; err != nil {
			t.Error(err)
		}
	})
	if _, err := io.WriteString(p.in, hello); err != nil {
		t.Fatal(err)
	}
	if _, err := p.out.ReadBytes('\n'); err != nil {
		t.Fatal(err)
	}
	return p
}

func (p *rawPipe) request(t testing.TB, method, params string) []byte {
	p.id++
	if _, err := fmt.Fprintf(p.in, `{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`+"\n", p.id, method, params); err != nil {
		t.Fatal(err)
	}
	line, err := p.out.ReadBytes('\n')
	if err != nil {
		t.Fatal(err)
	}
	return line
}

func (p *rawPipe) call(t testing.TB, tool, arguments string) {
	line := p.request(t, "tools/call", fmt.Sprintf(`{"name":%q,"arguments":%s}`, tool, arguments))
	if !bytes.Contains(line, []byte(`"structuredContent"`)) || bytes.Contains(line, []byte(`"isError":true`)) {
		t.Fatalf("%s", line)
	}
}
