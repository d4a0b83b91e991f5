package replay

import (
	"bytes"
	"encoding/json"
	"fmt"
	"mime"
	"net/http"
	"reflect"
	"strings"
)

// decode turns a body into the same shape as Capture.Decoded: a list of
// {flags, json} for envelopes, a list for lines, the value of JSON, protobuf
// as protojson writes it, text as a string, nil for an empty or binary body.
func decode(c *Capture, header http.Header, body []byte) (any, error) {
	if header.Get("Content-Encoding") == "gzip" {
		plain, err := gunzip(body)
		if err != nil {
			return nil, fmt.Errorf("decompress body: %w", err)
		}
		body = plain
	}
	kind, _, _ := mime.ParseMediaType(header.Get("Content-Type"))
	switch {
	case strings.HasPrefix(kind, "application/connect+"):
		return decodeStream(c, kind, body)
	case c.lines():
		return decodeLines(body)
	case kind == "application/proto":
		return protoJSON(c.Request.Path, body)
	case c.DecodedNote != "":
		return nil, nil
	}
	return decodeText(c, body), nil
}

// decodeText decodes JSON, whatever type it was sent as, unless it was
// recorded as text: a file of JSON is text, the answer "OK" is a JSON string.
func decodeText(c *Capture, body []byte) any {
	if len(body) == 0 && c.Decoded == nil {
		return nil
	}
	var value any
	if err := json.Unmarshal(body, &value); err != nil {
		return string(body)
	}
	if _, text := c.Decoded.(string); text && reflect.TypeOf(value) != reflect.TypeFor[string]() {
		return string(body)
	}
	return value
}

func decodeStream(c *Capture, kind string, body []byte) (any, error) {
	list := []any{}
	for _, e := range envelopes(body) {
		payload, err := e.plain()
		if err != nil {
			return nil, fmt.Errorf("decompress envelope: %w", err)
		}
		value, err := decodePayload(c, kind, e.flags, payload)
		if err != nil {
			return nil, err
		}
		list = append(list, map[string]any{"flags": float64(e.flags), "json": value})
	}
	return list, nil
}

// decodePayload knows that the end of a stream is JSON in either codec.
func decodePayload(c *Capture, kind string, flags byte, payload []byte) (any, error) {
	if kind == "application/connect+proto" && flags&flagEnd == 0 {
		return protoJSON(c.Request.Path, payload)
	}
	var value any
	if err := json.Unmarshal(payload, &value); err != nil {
		return nil, fmt.Errorf("decode envelope %q: %w", payload, err)
	}
	return value, nil
}

func decodeLines(body []byte) (any, error) {
	list := []any{}
	for line := range bytes.Lines(body) {
		var value any
		if err := json.Unmarshal(line, &value); err != nil {
			return nil, fmt.Errorf("decode line %q: %w", line, err)
		}
		list = append(list, value)
	}
	return list, nil
}
