package mcpserver

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// codeInvalidRequest is JSON-RPC's "not a valid request object".
const codeInvalidRequest = -32600

// tooLargeError means that a body is over the limit, in bytes.
type tooLargeError struct{ limit int64 }

// Error implements error.
func (e *tooLargeError) Error() string {
	return fmt.Sprintf("the request body is over the limit of %d bytes: write large files in parts, or raise the limit of the server", e.limit)
}

func readBody(r *http.Request, limit int64) ([]byte, error) {
	if r.ContentLength > limit {
		return nil, &tooLargeError{limit}
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, limit+1))
	if err == nil && int64(len(body)) > limit {
		err = &tooLargeError{limit}
	}
	return body, err
}

func writeBodyError(w http.ResponseWriter, err error) {
	var tooLarge *tooLargeError
	if errors.As(err, &tooLarge) {
		w.Header().Set("Connection", "close") // the rest of the body is not read
		writeRPCError(w, http.StatusRequestEntityTooLarge, nil, err.Error())
		return
	}
	http.Error(w, "the request body ended too soon", http.StatusBadRequest)
}

// rpcError is a JSON-RPC error as the body of an HTTP answer.
func rpcError(id json.RawMessage, text string) []byte {
	if len(id) == 0 {
		id = json.RawMessage("null")
	}
	body, _ := json.Marshal(map[string]any{ // strings and raw JSON always marshal
		"jsonrpc": "2.0", "id": id,
		"error": map[string]any{"code": codeInvalidRequest, "message": text},
	})
	return body
}

// asRPCError makes one of the SDK's own refusals, which are JSON-RPC errors or
// plain text.
func asRPCError(id json.RawMessage, refusal []byte) []byte {
	if json.Valid(refusal) {
		return refusal
	}
	return rpcError(id, strings.TrimSpace(string(refusal)))
}

func writeRPCError(w http.ResponseWriter, status int, id json.RawMessage, text string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(rpcError(id, text))
}
