package process

import (
	"bytes"
	"errors"
	"os"
	"sync/atomic"
	"syscall"
	"time"
)

// Sizes of one data event (envd contract: event order).
const (
	pipeChunk = 32 << 10
	ttyChunk  = 16 << 10
)

// pump reads one output of a process and publishes it in chunks.
type pump struct {
	file    *os.File
	chunk   int
	wrap    func([]byte) *event
	stopped atomic.Bool
}

// run reads until the other side is closed or stop was called.
func (p *pump) run(out *hub) {
	conn, _ := p.file.SyscallConn() // without one, fill and drain do nothing
	for {
		buf := make([]byte, p.chunk)
		n, err := p.file.Read(buf)
		if err != nil {
			p.drain(out, conn, err)
			return
		}
		n += fill(conn, buf[n:])
		p.emit(out, buf[:n])
	}
}

// fill takes what is there already, up to a whole chunk: programs write in
// small pieces, and each event has its cost.
func fill(conn syscall.RawConn, buf []byte) int {
	filled := 0
	for conn != nil && filled < len(buf) {
		n, err := readNow(conn, buf[filled:])
		if err != nil || n <= 0 {
			break // an end or an error comes back at the next read
		}
		filled += n
	}
	return filled
}

// emit publishes b, which is the hub's from now on; a chunk that is mostly
// empty is not kept alive for a few bytes.
func (p *pump) emit(out *hub, b []byte) {
	if len(b) < cap(b)/2 {
		b = bytes.Clone(b)
	}
	out.publish(p.wrap(b))
}

// stop ends run once it has read what is there now.
func (p *pump) stop() {
	if !p.stopped.CompareAndSwap(false, true) {
		return
	}
	if p.file.SetReadDeadline(time.Unix(1, 0)) != nil {
		_ = p.file.Close() // no deadlines on this kind of file
	}
}

// drain reads, after stop, what had been written before without waiting for
// more. Any other error of a read is the end of the output: io.EOF of a pipe,
// EIO of a terminal whose other side is closed.
func (p *pump) drain(out *hub, conn syscall.RawConn, err error) {
	if !errors.Is(err, os.ErrDeadlineExceeded) || p.file.SetReadDeadline(time.Time{}) != nil {
		return
	}
	for {
		buf := make([]byte, p.chunk)
		n := fill(conn, buf)
		if n == 0 {
			return
		}
		p.emit(out, buf[:n])
	}
}
