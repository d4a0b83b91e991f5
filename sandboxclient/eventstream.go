package sandboxclient

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"connectrpc.com/connect"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"github.com/agentsandbox/agent-sandbox/sandboxclient/api"
)

// eventStream is the answer to one Start or Connect.
type eventStream struct {
	body   io.ReadCloser
	frames frameReader
	decode eventDecoder
	ended  bool // the last frame was read
}

// errNoEnd: the stream stopped, or was closed properly, without the end event.
var errNoEnd = errors.New("the stream has no end event")

// openEvents calls a streaming procedure of the process service with one
// message. A deadline of ctx is told to the server.
func (s *Sandbox) openEvents(ctx context.Context, procedure, user string, message proto.Message) (*eventStream, error) {
	useJSON := s.jsonOnly.Load()
	encode, codec := proto.Marshal, "proto"
	if useJSON {
		encode, codec = protojson.Marshal, "json"
	}
	payload, err := encode(message)
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.envd.base+procedure, bytes.NewReader(frame(payload)))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/connect+"+codec)
	req.Header.Set("Connect-Protocol-Version", "1")
	req.Header.Set("Accept-Encoding", "identity")
	req.Header.Set(api.HeaderKeepalive, keepaliveSeconds)
	s.setUser(req.Header, user)
	if deadline, ok := ctx.Deadline(); ok {
		req.Header.Set(api.HeaderConnectTimeout, strconv.FormatInt(max(1, time.Until(deadline).Milliseconds()), 10))
	}
	resp, err := s.envd.Do(req)
	if err != nil {
		return nil, err
	}
	if got := resp.Header.Get("Content-Type"); !strings.HasPrefix(got, "application/connect+"+codec) {
		_ = resp.Body.Close()
		return nil, fmt.Errorf("the answer is no stream of %s but %q", codec, got)
	}
	return &eventStream{body: resp.Body, frames: frameReader{r: resp.Body}, decode: eventDecoder{json: useJSON}}, nil
}

// next gives the next event. The proper end of the stream is errNoEnd, for a
// caller that still waits for an end event; an error that the server ends it
// with is a *streamError.
func (s *eventStream) next() (event, error) {
	flags, payload, err := s.frames.next()
	switch {
	case errors.Is(err, io.EOF):
		return event{}, io.ErrUnexpectedEOF // without a last frame
	case err != nil:
		return event{}, err
	case flags&frameCompressed != 0:
		return event{}, errors.New("the server compressed a frame, which was not asked for")
	case flags&frameEnd != 0:
		s.ended = true
		return event{}, endError(payload)
	default:
		return s.decode.decode(payload)
	}
}

// endError reads the last frame.
func endError(payload []byte) error {
	var end struct {
		Error *struct {
			Code    connect.Code `json:"code"`
			Message string       `json:"message"`
		} `json:"error"`
	}
	if err := json.Unmarshal(payload, &end); err != nil {
		return fmt.Errorf("decode end of stream: %w", err)
	}
	if end.Error == nil {
		return errNoEnd
	}
	return &streamError{code: end.Error.Code, message: end.Error.Message}
}

// streamError is the error with which the server ended a stream.
type streamError struct {
	code    connect.Code
	message string
}

func (e *streamError) Error() string { return e.code.String() + ": " + e.message }

// close ends the stream.
func (s *eventStream) close() {
	if s.ended {
		finishBody(s.body)
		return
	}
	_ = s.body.Close()
}
