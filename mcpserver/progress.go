package mcpserver

import (
	"context"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/agentsandbox/agent-sandbox/mcpserver/internal/transcript"
)

// progressInterval is the time between two progress notifications; clients
// count on one every 2 s.
const progressInterval = 1500 * time.Millisecond

// progress tells a client that a call is still at work, with the newest line of
// output as the message. Its zero value and nil tell nobody.
type progress struct {
	mu   sync.Mutex
	line string
}

// say sets the message of the next notification.
func (p *progress) say(line string) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.line = line
}

// saw takes in output and keeps its newest line that shows something.
func (p *progress) saw(chunk []byte) {
	if p == nil {
		return
	}
	const most = 200
	text := strings.ToValidUTF8(string(chunk[max(0, len(chunk)-4*most):]), "")
	lines := strings.Split(strings.TrimSpace(transcript.Collapse(text)), "\n")
	last := strings.TrimSpace(lines[len(lines)-1])
	if last == "" {
		return
	}
	p.say(strings.ToValidUTF8(last[:min(len(last), most)], ""))
}

func (p *progress) message() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.line
}

// report sends notifications until stop is called, which waits for the last
// one: none comes after the result. Without a token there is nothing to do.
func report(ctx context.Context, req *mcp.CallToolRequest) (p *progress, stop func()) {
	token := req.Params.GetProgressToken()
	if token == nil {
		return nil, func() {}
	}
	p = &progress{line: "starting"}
	ctx, cancel := context.WithCancel(ctx)
	var running sync.WaitGroup
	running.Go(func() { p.run(ctx, req.Session, token) })
	return p, func() {
		cancel()
		running.Wait()
	}
}

func (p *progress) run(ctx context.Context, session *mcp.ServerSession, token any) {
	began := time.Now()
	ticker := time.NewTicker(progressInterval)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		_ = session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{
			ProgressToken: token, Message: p.message(),
			Progress: time.Since(began).Seconds(), // grows, as it must
		})
	}
}

type progressKey struct{}

func withProgress(ctx context.Context, p *progress) context.Context {
	return context.WithValue(ctx, progressKey{}, p)
}

// progressOf gives the progress of a call, nil when nobody wants to know.
func progressOf(ctx context.Context) *progress {
	p, _ := ctx.Value(progressKey{}).(*progress)
	return p
}
