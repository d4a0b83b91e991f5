package engine

import (
	"bufio"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"net/http"
)

// Attached is the standard input and output of a container. Its standard
// error goes to the writer that Attach was given.
type Attached struct {
	conn   net.Conn
	r      *bufio.Reader
	stderr io.Writer
	left   int // bytes of the current frame that have not been read
}

// Attach connects to a container, which need not have been started.
func (c *Client) Attach(ctx context.Context, id string, stderr io.Writer) (*Attached, error) {
	conn, err := c.dial(ctx)
	if err != nil {
		return nil, fmt.Errorf("attach to container: %w", err)
	}
	stop := context.AfterFunc(ctx, func() { conn.Close() })
	defer stop()
	r := bufio.NewReader(conn)
	if err := upgrade(conn, r, "/containers/"+id+"/attach?stream=1&stdin=1&stdout=1&stderr=1"); err != nil {
		conn.Close()
		return nil, err
	}
	return &Attached{conn: conn, r: r, stderr: stderr}, nil
}

// upgrade turns a request into a raw connection.
func upgrade(conn net.Conn, r *bufio.Reader, path string) error {
	req, err := http.NewRequest(http.MethodPost, "http://docker"+path, nil)
	if err != nil {
		return err
	}
	req.Header.Set("Connection", "Upgrade")
	req.Header.Set("Upgrade", "tcp")
	if err := req.Write(conn); err != nil {
		return fmt.Errorf("attach to container: %w", err)
	}
	resp, err := http.ReadResponse(r, req)
	if err != nil {
		return fmt.Errorf("attach to container: %w", err)
	}
	if resp.StatusCode != http.StatusSwitchingProtocols && resp.StatusCode != http.StatusOK {
		defer resp.Body.Close()
		return failure("attach to container", resp)
	}
	return nil
}

// Write writes to the container's standard input.
func (a *Attached) Write(p []byte) (int, error) { return a.conn.Write(p) }

// Close ends the connection.
func (a *Attached) Close() error { return a.conn.Close() }

// Stream numbers of the engine's frames.
const (
	streamStdout = 1
	streamStderr = 2
)

// Read reads the container's standard output. The engine sends both outputs
// in frames: a byte that names the stream, three zeros, four bytes of length.
func (a *Attached) Read(p []byte) (int, error) {
	for a.left == 0 {
		if err := a.nextFrame(); err != nil {
			return 0, err
		}
	}
	n, err := a.r.Read(p[:min(len(p), a.left)])
	a.left -= n
	return n, err
}

func (a *Attached) nextFrame() error {
	var head [8]byte
	if _, err := io.ReadFull(a.r, head[:]); err != nil {
		return err
	}
	size := int(binary.BigEndian.Uint32(head[4:]))
	switch head[0] {
	case streamStdout:
		a.left = size
		return nil
	case streamStderr:
		_, err := io.CopyN(a.stderr, a.r, int64(size))
		return err
	}
	return fmt.Errorf("read container: frame of stream %d", head[0])
}
