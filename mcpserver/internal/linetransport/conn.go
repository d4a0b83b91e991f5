package linetransport

import (
	"context"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

type conn struct {
	transport *Transport
	lines     chan line // closed at the end of input

	closeOnce sync.Once
	closed    chan struct{}

	mu      sync.Mutex    // guards what follows, and writes to Out
	owed    int           // calls given to the SDK that have no reply yet
	settled chan struct{} // gets a token when owed becomes 0
}

// Read gives the next message. Lines that hold none are answered here.
func (c *conn) Read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-c.closed:
			return nil, io.EOF
		case <-c.transport.End:
			c.settle(0)
			return nil, io.EOF
		case l, ok := <-c.lines:
			if !ok {
				c.settle(c.transport.Grace)
				return nil, io.EOF
			}
			msg, refusal := decode(l, c.transport.maxLine())
			if refusal == nil {
				c.owe(msg)
				return msg, nil
			}
			if err := c.write(refusal); err != nil {
				return nil, err
			}
		}
	}
}

// Write sends one message as one line.
func (c *conn) Write(_ context.Context, msg jsonrpc.Message) error {
	data, err := jsonrpc.EncodeMessage(msg)
	if err != nil {
		return fmt.Errorf("encode message: %w", err)
	}
	err = c.write(data)
	if _, reply := msg.(*jsonrpc.Response); reply {
		c.repaid()
	}
	return err
}

// Close ends reading and writing; it does not close the streams.
func (c *conn) Close() error {
	c.closeOnce.Do(func() { close(c.closed) })
	return nil
}

// write sends one line. A reader that went away ends the connection.
func (c *conn) write(data []byte) error {
	select {
	case <-c.closed:
		return io.ErrClosedPipe
	default:
	}
	c.mu.Lock()
	_, err := c.transport.Out.Write(append(data, '\n'))
	c.mu.Unlock()
	if err != nil {
		_ = c.Close()
		return fmt.Errorf("write message: %w", err)
	}
	return nil
}

func (c *conn) owe(msg jsonrpc.Message) {
	if !isCall(msg) {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.owed++
}

func (c *conn) repaid() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.owed--
	if c.owed == 0 {
		select {
		case c.settled <- struct{}{}:
		default:
		}
	}
}

// settle waits, at the end of input, until no reply is owed: for the grace, and
// for one second more after it hurried the calls along.
func (c *conn) settle(grace time.Duration) {
	if c.await(grace) {
		return
	}
	if c.transport.Hurry != nil {
		c.transport.Hurry()
	}
	c.await(lastSecond)
}

// await tells whether all replies were written within d.
func (c *conn) await(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	for c.inDebt() {
		select {
		case <-c.settled:
		case <-c.closed:
			return true
		case <-timer.C:
			return false
		}
	}
	return true
}

func (c *conn) inDebt() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.owed > 0
}
