package process

import (
	"errors"
	"os"
	"sync/atomic"
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
	buf := make([]byte, p.chunk)
	for {
		n, err := p.file.Read(buf)
		p.emit(out, buf[:n])
		if err != nil {
			p.drain(out, buf, err)
			return
		}
	}
}

func (p *pump) emit(out *hub, b []byte) {
	if len(b) > 0 {
		out.publish(p.wrap(append([]byte(nil), b...)))
	}
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
func (p *pump) drain(out *hub, buf []byte, err error) {
	if !errors.Is(err, os.ErrDeadlineExceeded) || p.file.SetReadDeadline(time.Time{}) != nil {
		return
	}
	conn, err := p.file.SyscallConn()
	if err != nil {
		return
	}
	for {
		n, err := readNow(conn, buf)
		if err != nil || n <= 0 {
			return
		}
		p.emit(out, buf[:n])
	}
}
