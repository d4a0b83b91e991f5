package mcpserver

import (
	"context"
	"errors"
	"io"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// ServeStdio serves one session over newline-delimited JSON-RPC until in ends
// or ctx does, then destroys the sandboxes of the session. The error names the
// sandboxes that could not be destroyed.
func (s *Server) ServeStdio(ctx context.Context, in io.Reader, out io.Writer) error {
	session := s.NewSession(ctx, nil)
	transport := &mcp.IOTransport{Reader: io.NopCloser(in), Writer: nopWriteCloser{out}}
	err := s.mcp.Run(WithSession(ctx, session), transport)
	if errors.Is(err, context.Canceled) || errors.Is(err, io.EOF) {
		err = nil
	}
	return errors.Join(err, session.Close(context.WithoutCancel(ctx)))
}

type nopWriteCloser struct{ io.Writer }

func (nopWriteCloser) Close() error { return nil }
