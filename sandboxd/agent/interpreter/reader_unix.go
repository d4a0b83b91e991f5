//go:build unix

package interpreter

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// pieceSize is the most that is read of a stream at once, in bytes.
const pieceSize = 32 << 10

// maxPipe is the most that a pipe of an ordinary user can hold, in bytes.
const maxPipe = 1 << 20

// gather is how long small pieces of output are let come together, so that a
// program that prints a million lines does not cost a million answers.
const gather = 5 // milliseconds

// source is one pipe that the reader follows.
type source struct {
	fd     int32
	closed bool
}

// reader follows the three pipes of a kernel in one goroutine, so that the order
// of output and events is decided in one place.
type reader struct {
	kernel                       *kernel
	stdout, stderr, events, exit *source
	decoders                     map[string]*textDecoder
	cutter                       eventReader
	buffer                       []byte
	trickle                      bool // the last piece was a small one
}

// read delivers all that the process writes until it has ended.
func (k *kernel) read() {
	r := &reader{
		kernel: k,
		stdout: openSource(k.pipes.stdout), stderr: openSource(k.pipes.stderr),
		events: openSource(k.pipes.events), exit: openSource(k.pipes.exitRead),
		decoders: map[string]*textDecoder{"stdout": {}, "stderr": {}},
		buffer:   make([]byte, pieceSize),
	}
	for r.step() {
	}
	r.drain()
	r.flushText()
	k.deliver(item{died: true})
	close(k.finished)
	_ = k.pipes.close()
}

// openSource takes the descriptor of file without making it blocking, as Fd
// would. The file is held open by the kernel until its reader has ended.
func openSource(file *os.File) *source {
	s := &source{closed: true}
	if raw, err := file.SyscallConn(); err == nil {
		_ = raw.Control(func(fd uintptr) { s.fd, s.closed = int32(fd), false })
	}
	return s
}

// step waits for something to read and reads it; false after the process ended.
func (r *reader) step() bool {
	if r.trickle {
		r.trickle = false
		if _, err := waitReadable(gather, r.events, r.exit); err != nil {
			return false
		}
	}
	ready, err := waitReadable(-1, r.events, r.stdout, r.stderr, r.exit)
	if err != nil || ready[3] {
		return false
	}
	// The events are read first and delivered last: what was printed before an
	// event is then in the other pipes already.
	var events []event
	if ready[0] {
		events = r.cutter.feed(r.readPiece(r.events))
		r.drain()
	} else {
		r.forward("stdout", r.stdout, ready[1])
		r.forward("stderr", r.stderr, ready[2])
	}
	for _, ev := range events {
		r.deliverEvent(ev)
	}
	return true
}

func (r *reader) deliverEvent(ev event) {
	if ev.Type == "done" {
		r.flushText()
	}
	r.kernel.deliver(item{event: ev})
	if ev.awaitsAck() {
		_, _ = r.kernel.pipes.acks.Write([]byte("\n")) // its driver may have died
	}
}

// drain forwards what the two output pipes hold at this moment. A background
// process may go on writing for ever, so it stops at the most that they can hold.
func (r *reader) drain() {
	r.drainStream("stdout", r.stdout)
	r.drainStream("stderr", r.stderr)
}

func (r *reader) drainStream(stream string, s *source) {
	for total, n := 0, 1; n > 0 && total < maxPipe; total += n {
		n = r.forward(stream, s, !s.closed)
	}
}

// forward delivers one piece of a stream and returns its size in bytes.
func (r *reader) forward(stream string, s *source, readable bool) int {
	if !readable {
		return 0
	}
	piece := r.readPiece(s)
	r.trickle = len(piece) < pieceSize/2
	if text := r.decoders[stream].decode(piece); text != "" {
		r.kernel.deliver(item{stream: stream, text: text})
	}
	return len(piece)
}

// flushText delivers the halves of characters that nothing completed.
func (r *reader) flushText() {
	for _, stream := range []string{"stdout", "stderr"} {
		if text := r.decoders[stream].flush(); text != "" {
			r.kernel.deliver(item{stream: stream, text: text})
		}
	}
}

func (r *reader) readPiece(s *source) []byte {
	for {
		n, err := unix.Read(int(s.fd), r.buffer)
		switch {
		case errors.Is(err, unix.EINTR):
			continue
		case errors.Is(err, unix.EAGAIN):
			return nil
		case err != nil || n == 0:
			s.closed = true
			return nil
		}
		return r.buffer[:n]
	}
}

// waitReadable blocks until one of the sources can be read or has ended, or for
// so many milliseconds; -1 is for ever.
func waitReadable(limit int, sources ...*source) ([]bool, error) {
	polled := make([]unix.PollFd, len(sources))
	for i, s := range sources {
		polled[i] = unix.PollFd{Fd: s.fd, Events: unix.POLLIN}
		if s.closed {
			polled[i].Fd = -1 // ignored by poll
		}
	}
	for {
		_, err := unix.Poll(polled, limit)
		if errors.Is(err, unix.EINTR) {
			continue
		}
		ready := make([]bool, len(sources))
		for i := range polled {
			ready[i] = polled[i].Revents != 0
		}
		return ready, err
	}
}
