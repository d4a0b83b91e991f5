// Package linetransport carries MCP over newline-delimited JSON-RPC, as on
// stdin and stdout. Unlike the SDK's own transport it answers a line it cannot
// use and goes on, and at the end of input it first writes the replies it owes.
package linetransport

import (
	"context"
	"io"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// DefaultMaxLine is the longest line accepted, in bytes: 16 MiB.
const DefaultMaxLine = 16 << 20

// Transport is an mcp.Transport over two byte streams. It connects once.
type Transport struct {
	In  io.Reader
	Out io.Writer
	// MaxLine is the longest line accepted, in bytes; 0 is DefaultMaxLine.
	MaxLine int
	// Grace is how long the end of input waits for the replies that are owed.
	Grace time.Duration
	// Hurry is called when Grace is over and replies are still owed: it should
	// make the running calls end. They then have a last second to answer.
	Hurry func()
	// End, when closed, is the end of input with the grace already over.
	End <-chan struct{}
}

// lastSecond is what calls have to answer after Hurry.
const lastSecond = time.Second

// Connect starts to read. The context does not end the connection; Close does.
func (t *Transport) Connect(context.Context) (mcp.Connection, error) {
	c := &conn{
		transport: t,
		lines:     make(chan line),
		closed:    make(chan struct{}),
		settled:   make(chan struct{}, 1),
	}
	go c.readLines()
	return c, nil
}

// readLines feeds the connection until the input or the connection ends. A
// read that blocks for ever holds this goroutine: there is no portable way to
// interrupt a read of stdin, and the process is about to end then.
func (c *conn) readLines() {
	defer close(c.lines)
	r := newLineReader(c.transport.In, c.transport.maxLine())
	for {
		l, err := r.next()
		if err != nil {
			return
		}
		select {
		case c.lines <- l:
		case <-c.closed:
			return
		}
	}
}

func (t *Transport) maxLine() int {
	if t.MaxLine > 0 {
		return t.MaxLine
	}
	return DefaultMaxLine
}

var _ mcp.Connection = (*conn)(nil)

// SessionID is empty: one pipe is one session.
func (c *conn) SessionID() string { return "" }

// isCall tells a request that wants a reply from everything else.
func isCall(msg jsonrpc.Message) bool {
	req, ok := msg.(*jsonrpc.Request)
	return ok && req.IsCall()
}
