package sandboxclient

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// Flags of a frame of a connect stream (connect protocol specification).
const (
	frameCompressed = 1 << iota
	frameEnd        // the last one; its payload is JSON in every codec
)

// maxFrame bounds the payload of a frame: envd's hold at most 32 KiB of output.
const maxFrame = 16 << 20

// frameReader splits a connect stream into its frames: flags, a length of four
// bytes, big endian, and the payload. It reads by hand, into one buffer,
// because connect's own reader makes and copies two buffers for each frame,
// which halves the throughput of a command's output.
type frameReader struct {
	r       io.Reader
	header  [5]byte
	payload []byte
}

// next gives a frame, whose payload is valid until the next call. A stream
// that stops within a frame is io.ErrUnexpectedEOF, between two io.EOF.
func (f *frameReader) next() (flags byte, payload []byte, err error) {
	if _, err := io.ReadFull(f.r, f.header[:]); err != nil {
		return 0, nil, err
	}
	size := binary.BigEndian.Uint32(f.header[1:])
	if size > maxFrame {
		return 0, nil, fmt.Errorf("a frame of %d bytes is longer than %d", size, maxFrame)
	}
	if int(size) > cap(f.payload) {
		f.payload = make([]byte, max(int(size), 64<<10))
	}
	f.payload = f.payload[:size]
	if _, err := io.ReadFull(f.r, f.payload); err != nil {
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return 0, nil, err
	}
	return f.header[0], f.payload, nil
}

// frame wraps the one message of a request.
func frame(payload []byte) []byte {
	framed := make([]byte, 0, 5+len(payload))
	framed = append(framed, 0)
	framed = binary.BigEndian.AppendUint32(framed, uint32(len(payload)))
	return append(framed, payload...)
}
