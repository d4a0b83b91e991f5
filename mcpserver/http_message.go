package mcpserver

import (
	"bytes"
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// message is what routing and limits need to know of a body. It is decoded by
// the SDK's own rules, so that no body means one thing here and another there.
type message struct {
	readable bool            // JSON-RPC: one message, or a batch
	method   string          // of a single request or notification
	id       json.RawMessage // of a single request, nil when no answer is owed
	calls    int             // tool calls in it
	params   json.RawMessage // of a single request or notification
}

func peek(body []byte) message {
	if trimmed := bytes.TrimLeft(body, " \t\r\n"); len(trimmed) == 0 || trimmed[0] != '[' {
		return peekOne(body)
	}
	var batch []json.RawMessage
	if json.Unmarshal(body, &batch) != nil || len(batch) == 0 {
		return message{}
	}
	all := message{readable: true}
	for _, one := range batch {
		m := peekOne(one)
		all.readable = all.readable && m.readable
		all.calls += m.calls
	}
	return all
}

func peekOne(body []byte) message {
	decoded, err := jsonrpc.DecodeMessage(body)
	if err != nil {
		return message{}
	}
	request, ok := decoded.(*jsonrpc.Request)
	if !ok {
		return message{readable: true} // a response
	}
	m := message{readable: true, method: request.Method, params: request.Params}
	if request.IsCall() {
		m.id, _ = json.Marshal(request.ID.Raw()) // a number or a string
	}
	if m.method == "tools/call" {
		m.calls = 1
	}
	return m
}
