package dataplane

import (
	"log/slog"
	"strings"
	"sync"
)

// bufferSize is what one read of a stream may bring: an event of envd carries
// up to 32 KiB of output, which base64 in JSON makes 44.
const bufferSize = 64 << 10

// buffers lends the copy buffers of the reverse proxy.
type buffers struct{ pool sync.Pool }

func newBuffers() *buffers {
	return &buffers{pool: sync.Pool{New: func() any {
		b := make([]byte, bufferSize)
		return &b
	}}}
}

func (b *buffers) Get() []byte  { return *b.pool.Get().(*[]byte) }
func (b *buffers) Put(p []byte) { b.pool.Put(&p) }

// quiet turns what the reverse proxy logs into debug lines: a stream that is
// cut because its sandbox was killed is no news.
type quiet struct{ logger *slog.Logger }

func (q quiet) Write(line []byte) (int, error) {
	q.logger.Debug("proxy", "detail", strings.TrimSpace(string(line)))
	return len(line), nil
}
