package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/agentsandbox/agent-sandbox/mcpserver/internal/linetransport"
)

// MaxLine is the longest line that ServeStdio accepts, in bytes: 16 MiB.
const MaxLine = linetransport.DefaultMaxLine

// endGrace is how long the end of input waits for running calls: clients
// expect the process to be gone within 5 s, and destroying takes its part.
const endGrace = 3 * time.Second

// ServeStdio serves one session over newline-delimited JSON-RPC until in ends,
// out breaks or ctx ends. It then answers what it can, destroys the sandboxes
// of the session and returns. The error names sandboxes that may live on.
func (s *Server) ServeStdio(ctx context.Context, in io.Reader, out io.Writer) error {
	session := s.NewSession(ctx, nil)
	connected, err := s.mcp.Connect(WithSession(ctx, session), &linetransport.Transport{
		In: in, Out: out, Grace: endGrace, Hurry: session.end, End: ctx.Done(),
	}, nil)
	if err != nil {
		return errors.Join(fmt.Errorf("start stdio: %w", err), session.Close(ctx))
	}
	if err := connected.Wait(); err != nil && !errors.Is(err, io.EOF) {
		s.opts.logger().Info("stdio ended", "cause", err)
	}
	return session.Close(context.WithoutCancel(ctx))
}
