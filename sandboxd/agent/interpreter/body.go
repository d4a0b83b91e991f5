package interpreter

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
)

// maxBody bounds a request body in bytes.
const maxBody = 64 << 20

// badRequest is an answer to a body that does not fit.
type badRequest struct {
	status int
	detail any
}

func (b *badRequest) write(w http.ResponseWriter) { writeDetail(w, b.status, b.detail) }

// problem is one entry of a 422 answer, in the form of the hosted service.
type problem struct {
	Type    string         `json:"type"`
	Loc     []any          `json:"loc"`
	Msg     string         `json:"msg"`
	Input   any            `json:"input"`
	Context map[string]any `json:"ctx,omitempty"`
}

// body is a JSON object whose fields are taken one by one; what does not fit is
// gathered and told together.
type body struct {
	fields   map[string]json.RawMessage
	raw      json.RawMessage
	problems []problem
}

func readBody(w http.ResponseWriter, r *http.Request) (*body, *badRequest) {
	raw, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	var tooLong *http.MaxBytesError
	switch {
	case errors.As(err, &tooLong):
		return nil, &badRequest{http.StatusRequestEntityTooLarge, "Request body too large"}
	case err != nil:
		return nil, &badRequest{http.StatusBadRequest, "There was an error parsing the body"}
	}
	return parseBody(raw)
}

func parseBody(raw []byte) (*body, *badRequest) {
	if trimmed := bytes.TrimSpace(raw); len(trimmed) == 0 || string(trimmed) == "null" {
		return nil, unprocessable(problem{Type: "missing", Loc: []any{"body"}, Msg: "Field required"})
	}
	b := &body{raw: raw}
	var value any
	if err := json.Unmarshal(raw, &value); err != nil {
		return nil, unprocessable(invalidJSON(raw, err))
	}
	if _, ok := value.(map[string]any); !ok {
		return nil, unprocessable(problem{
			Type: "model_attributes_type", Loc: []any{"body"}, Input: b.raw,
			Msg: "Input should be a valid dictionary or object to extract fields from",
		})
	}
	_ = json.Unmarshal(raw, &b.fields) // it is an object
	return b, nil
}

func unprocessable(problems ...problem) *badRequest {
	return &badRequest{http.StatusUnprocessableEntity, problems}
}

func invalidJSON(raw []byte, err error) problem {
	position := len(raw)
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) && syntax.Offset < int64(len(raw)) {
		position = int(syntax.Offset) - 1
	}
	return problem{
		Type: "json_invalid", Loc: []any{"body", position}, Msg: "JSON decode error",
		Input: struct{}{}, Context: map[string]any{"error": "Expecting value"},
	}
}

// problem returns the answer to what did not fit so far, nil if all did.
func (b *body) problem() *badRequest {
	if len(b.problems) == 0 {
		return nil
	}
	return unprocessable(b.problems...)
}

func (b *body) required(name string) string {
	if _, ok := b.fields[name]; !ok {
		b.problems = append(b.problems, problem{Type: "missing", Loc: []any{"body", name}, Msg: "Field required", Input: b.raw})
		return ""
	}
	return b.text(b.fields[name], "body", name)
}

// optional returns "" for a field that is absent or null.
func (b *body) optional(name string) string {
	if isNull(b.fields[name]) {
		return ""
	}
	return b.text(b.fields[name], "body", name)
}

func (b *body) optionalMap(name string) map[string]string {
	if isNull(b.fields[name]) {
		return nil
	}
	var raw map[string]json.RawMessage
	if json.Unmarshal(b.fields[name], &raw) != nil {
		b.problems = append(b.problems, problem{
			Type: "dict_type", Loc: []any{"body", name}, Msg: "Input should be a valid dictionary", Input: b.fields[name],
		})
	}
	values := make(map[string]string, len(raw))
	for key, value := range raw {
		values[key] = b.text(value, "body", name, key)
	}
	return values
}

func (b *body) text(raw json.RawMessage, loc ...any) string {
	var text *string
	if json.Unmarshal(raw, &text) != nil || text == nil {
		b.problems = append(b.problems, problem{Type: "string_type", Loc: loc, Msg: "Input should be a valid string", Input: raw})
		return ""
	}
	return *text
}

func isNull(raw json.RawMessage) bool { return len(raw) == 0 || string(raw) == "null" }

// forbidNUL refuses a text that programs cannot take.
func (b *body) forbidNUL(name, text string) {
	if strings.ContainsRune(text, 0) {
		b.refuse("Value error, the text must not contain NUL characters", "body", name)
	}
}

// checkVariables refuses what cannot be an environment variable.
func (b *body) checkVariables(name string, variables map[string]string) {
	for key, value := range variables {
		switch {
		case key == "" || strings.ContainsAny(key, "=\x00"):
			b.refuse("Value error, the name of a variable must not be empty or contain '=' or NUL", "body", name, key)
		case strings.ContainsRune(value, 0):
			b.refuse("Value error, the value of a variable must not contain NUL", "body", name, key)
		}
	}
}

func (b *body) refuse(message string, loc ...any) {
	b.problems = append(b.problems, problem{Type: "value_error", Loc: loc, Msg: message, Input: b.raw})
}
