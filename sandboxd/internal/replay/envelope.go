package replay

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"io"
)

// Flags of a connect envelope.
const (
	flagCompressed = 1
	flagEnd        = 2
)

const envelopeHead = 5

// envelope is one message of a connect stream.
type envelope struct {
	flags   byte
	payload []byte
}

// envelopes cuts a stream; what is incomplete at its end is left out.
func envelopes(body []byte) []envelope {
	var list []envelope
	for len(body) >= envelopeHead {
		size := int(binary.BigEndian.Uint32(body[1:envelopeHead]))
		if len(body)-envelopeHead < size {
			break
		}
		list = append(list, envelope{flags: body[0], payload: body[envelopeHead : envelopeHead+size]})
		body = body[envelopeHead+size:]
	}
	return list
}

// plain is the payload without compression.
func (e envelope) plain() ([]byte, error) {
	if e.flags&flagCompressed == 0 {
		return e.payload, nil
	}
	return gunzip(e.payload)
}

func gunzip(b []byte) ([]byte, error) {
	r, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}

// enclose is the opposite of envelopes for one message.
func enclose(payload []byte) []byte {
	head := make([]byte, envelopeHead)
	binary.BigEndian.PutUint32(head[1:], uint32(len(payload)))
	return append(head, payload...)
}
