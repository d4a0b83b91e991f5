package linetransport

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

var byteOrderMark = []byte("\xef\xbb\xbf")

// decode reads a message, or makes the JSON-RPC error reply to a line that is
// none. The reply carries the id of the request where it can be read.
func decode(l line, limit int) (msg jsonrpc.Message, refusal []byte) {
	switch {
	case l.tooLong:
		return nil, refuse(nil, jsonrpc.CodeInvalidRequest, fmt.Sprintf("line longer than %d bytes", limit))
	case bytes.HasPrefix(l.data, byteOrderMark):
		return nil, refuse(nil, jsonrpc.CodeParseError, "line begins with a byte order mark; send plain UTF-8")
	case !utf8.Valid(l.data):
		return nil, refuse(idOf(l.data), jsonrpc.CodeParseError, "line is not valid UTF-8")
	}
	id := idOf(l.data)
	msg, err := jsonrpc.DecodeMessage(l.data)
	switch {
	case err != nil:
		return nil, explain(l.data, id, err)
	case !usableID(id):
		return nil, refuse(nil, jsonrpc.CodeInvalidRequest, "id must be a string or a whole number below 2^53")
	}
	return msg, nil
}

// explain tells what is wrong with a line that is not a message.
func explain(data []byte, id json.RawMessage, err error) []byte {
	switch {
	case !json.Valid(data):
		return refuse(nil, jsonrpc.CodeParseError, "line is not valid JSON")
	case bytes.TrimSpace(data)[0] == '[':
		return refuse(nil, jsonrpc.CodeInvalidRequest, "batches are not supported; send one message a line")
	}
	return refuse(id, jsonrpc.CodeInvalidRequest, "not a JSON-RPC 2.0 message: "+err.Error())
}

// usableID tells whether the SDK gives the id back as it came: it keeps numbers
// as float64 on the way.
func usableID(id json.RawMessage) bool {
	if id == nil || id[0] == '"' || string(id) == "null" {
		return true
	}
	const exact = 1 << 53
	var n int64
	return json.Unmarshal(id, &n) == nil && -exact < n && n < exact
}

func idOf(data []byte) json.RawMessage {
	var envelope struct {
		ID json.RawMessage `json:"id"`
	}
	_ = json.Unmarshal(data, &envelope)
	return envelope.ID
}

// refuse makes an error reply. Without an id it is null, as JSON-RPC wants it.
func refuse(id json.RawMessage, code int64, message string) []byte {
	if !usableID(id) {
		id = nil
	}
	reply, _ := json.Marshal(struct {
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Error   *jsonrpc.Error  `json:"error"`
	}{"2.0", id, &jsonrpc.Error{Code: code, Message: message}})
	return reply
}
