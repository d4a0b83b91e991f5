package sandboxtest

import (
	"context"
	"encoding/binary"
	"net/http"
	"time"
)

// Cut sends the first n bytes of the answer's body and then breaks the
// connection.
func Cut(n int) Effect { return cutWith(&afterBytes{left: n}, breakOff) }

// CutFrames sends the first n messages of a Connect stream, half of the next
// one, and then breaks the connection.
func CutFrames(n int) Effect { return cutWith(&afterFrames{left: n, half: true}, breakOff) }

// EndEarly sends the first n bytes of the answer's body and then ends it as
// if it were complete: what is missing is known only to who understands it.
func EndEarly(n int) Effect { return cutWith(&afterBytes{left: n}, endCleanly) }

// EndFramesEarly sends the first n messages of a Connect stream and then ends
// the body as if it were complete, without the end of stream message.
func EndFramesEarly(n int) Effect { return cutWith(&afterFrames{left: n}, endCleanly) }

// Stall sends the first n bytes of the answer's body and then nothing more,
// until the client gives up.
func Stall(n int) Effect { return cutWith(&afterBytes{left: n}, stayOpen) }

// SlowBody sends the answer's body in pieces of at most n bytes, with a pause
// before each.
func SlowBody(n int, pause time.Duration) Effect {
	return func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		next.ServeHTTP(&slowWriter{ResponseWriter: w, ctx: r.Context(), piece: max(n, 1), pause: pause}, r)
	}
}

// rule says how many bytes of the next ones may pass; done is true when no
// more may after these.
type rule interface {
	allow(p []byte) (n int, done bool)
	fresh() rule
}

// ending is what happens when the rule is done.
type ending func(w http.ResponseWriter, r *http.Request)

func breakOff(w http.ResponseWriter, _ *http.Request) {
	_ = http.NewResponseController(w).Flush()
	panic(http.ErrAbortHandler)
}

func endCleanly(http.ResponseWriter, *http.Request) {}

func stayOpen(w http.ResponseWriter, r *http.Request) {
	_ = http.NewResponseController(w).Flush()
	<-r.Context().Done()
}

func cutWith(pattern rule, end ending) Effect {
	return func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		ctx, cancel := context.WithCancel(r.Context())
		defer cancel()
		c := &cutter{ResponseWriter: w, rule: pattern.fresh(), stop: cancel}
		c.serve(next, r.WithContext(ctx))
		if c.done {
			end(w, r)
		}
	}
}

// cutter passes an answer on for as long as the rule allows. Then it stops
// the one who writes it.
type cutter struct {
	http.ResponseWriter
	rule rule
	stop func()
	done bool
}

// serve calls next, which may panic over the stop.
func (c *cutter) serve(next http.Handler, r *http.Request) {
	defer func() {
		if err := recover(); err != nil && !c.done {
			panic(err)
		}
	}()
	next.ServeHTTP(c, r)
}

// Unwrap lets http.ResponseController reach the writer below.
func (c *cutter) Unwrap() http.ResponseWriter { return c.ResponseWriter }

// WriteHeader leaves the length out, which will not be right.
func (c *cutter) WriteHeader(status int) {
	c.Header().Del("Content-Length")
	c.ResponseWriter.WriteHeader(status)
}

func (c *cutter) Write(p []byte) (int, error) {
	if c.done {
		return len(p), nil
	}
	n, done := c.rule.allow(p)
	if _, err := c.ResponseWriter.Write(p[:n]); err != nil {
		return 0, err
	}
	if c.done = done; done {
		c.stop()
	}
	return len(p), nil
}

// afterBytes allows a number of bytes.
type afterBytes struct{ left int }

func (a *afterBytes) fresh() rule { c := *a; return &c }

func (a *afterBytes) allow(p []byte) (int, bool) {
	n := min(len(p), a.left)
	a.left -= n
	return n, a.left == 0
}

// headerSize is the length of what precedes the payload of a Connect message:
// a byte of flags and four of length.
const headerSize = 5

// afterFrames allows a number of Connect messages and, if half is set, half
// of one more.
type afterFrames struct {
	left   int
	half   bool
	header []byte
	body   int // bytes of the present message's payload still to come
}

func (a *afterFrames) fresh() rule { c := *a; return &c }

func (a *afterFrames) allow(p []byte) (n int, done bool) {
	for n < len(p) {
		if a.left == 0 && len(a.header) == 0 && a.body == 0 && !a.half {
			return n, true
		}
		n += a.take(p[n:])
		if a.left == 0 && a.half && len(a.header) == headerSize {
			return min(n+a.body/2, len(p)), true
		}
		if len(a.header) == headerSize && a.body == 0 {
			a.header = nil
			a.left--
		}
	}
	return n, a.left == 0 && !a.half && len(a.header) == 0
}

// take reads on in the present message: its header, or some of its payload.
func (a *afterFrames) take(p []byte) int {
	if len(a.header) < headerSize {
		n := min(headerSize-len(a.header), len(p))
		a.header = append(a.header, p[:n]...)
		if len(a.header) == headerSize {
			a.body = int(binary.BigEndian.Uint32(a.header[1:]))
		}
		return n
	}
	n := min(a.body, len(p))
	a.body -= n
	return n
}

// slowWriter writes in small pieces.
type slowWriter struct {
	http.ResponseWriter
	ctx   context.Context
	piece int
	pause time.Duration
}

// Unwrap lets http.ResponseController reach the writer below.
func (s *slowWriter) Unwrap() http.ResponseWriter { return s.ResponseWriter }

func (s *slowWriter) Write(p []byte) (written int, err error) {
	for written < len(p) {
		timer := time.NewTimer(s.pause)
		select {
		case <-timer.C:
		case <-s.ctx.Done():
			timer.Stop()
			return written, s.ctx.Err()
		}
		n, err := s.ResponseWriter.Write(p[written:min(written+s.piece, len(p))])
		written += n
		if err != nil {
			return written, err
		}
		_ = http.NewResponseController(s.ResponseWriter).Flush()
	}
	return written, nil
}
