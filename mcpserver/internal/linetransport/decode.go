package linetransport

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

var byteOrderMark = []byte("\xef\xbb\xbf")

// envelope is any JSON-RPC message. It is read here and not by the SDK, whose
// decoder takes 64 KiB for each message and keeps ids as float64.
type envelope struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Method  *string         `json:"method"`
	Params  json.RawMessage `json:"params"`
	Result  json.RawMessage `json:"result"`
	Error   *jsonrpc.Error  `json:"error"`
}

// decode reads a message, or makes the JSON-RPC error reply to a line that is
// none. The reply carries the id of the request where it can be read.
func decode(l line, limit int) (msg jsonrpc.Message, refusal []byte) {
	switch {
	case l.tooLong:
		return nil, refuse(nil, jsonrpc.CodeInvalidRequest, fmt.Sprintf("line longer than %d bytes", limit))
	case bytes.HasPrefix(l.data, byteOrderMark):
		return nil, refuse(nil, jsonrpc.CodeParseError, "line begins with a byte order mark; send plain UTF-8")
	}
	var e envelope
	err := json.Unmarshal(l.data, &e)
	if err == nil && utf8.Valid(l.data) {
		msg, err = e.message()
	}
	switch {
	case err != nil:
		return nil, explain(l.data, e.ID, err)
	case msg == nil:
		return nil, refuse(e.ID, jsonrpc.CodeParseError, "line is not valid UTF-8")
	}
	return msg, nil
}

var (
	errVersion = errors.New(`jsonrpc is not "2.0"`)
	errNeither = errors.New("neither a method nor the reply to a call")
	errID      = errors.New("id must be a string or a whole number below 2^53")
)

func (e *envelope) message() (jsonrpc.Message, error) {
	id, err := e.id()
	switch {
	case err != nil:
		return nil, err
	case e.Version != "2.0":
		return nil, errVersion
	case e.Method != nil:
		return &jsonrpc.Request{ID: id, Method: *e.Method, Params: e.Params}, nil
	case !id.IsValid():
		return nil, errNeither
	}
	reply := &jsonrpc.Response{ID: id, Result: e.Result}
	if e.Error != nil {
		reply.Error = e.Error
	}
	return reply, nil
}

// id reads an id, within what survives the float64 that the SDK makes of it.
func (e *envelope) id() (jsonrpc.ID, error) {
	if len(e.ID) == 0 || string(e.ID) == "null" {
		return jsonrpc.ID{}, nil
	}
	if e.ID[0] == '"' {
		var s string
		if err := json.Unmarshal(e.ID, &s); err != nil {
			return jsonrpc.ID{}, err
		}
		return jsonrpc.MakeID(s)
	}
	const exact = 1 << 53
	var n int64
	if json.Unmarshal(e.ID, &n) != nil || n <= -exact || n >= exact {
		return jsonrpc.ID{}, errID
	}
	return jsonrpc.MakeID(float64(n))
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

// refuse makes an error reply. Without a usable id it is null, as JSON-RPC
// wants it.
func refuse(id json.RawMessage, code int64, message string) []byte {
	if _, err := (&envelope{ID: id}).id(); err != nil {
		id = nil
	}
	reply, _ := json.Marshal(struct {
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Error   *jsonrpc.Error  `json:"error"`
	}{"2.0", id, &jsonrpc.Error{Code: code, Message: message}})
	return reply
}
