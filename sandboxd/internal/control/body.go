package control

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
)

// maxBody bounds the body of a control call; environment and metadata are the
// largest things in one.
const maxBody = 4 << 20

// decode reads the JSON body into v. An absent body leaves v as it is, so
// that required fields are found missing by whoever wants them.
func decode(w http.ResponseWriter, r *http.Request, v any) error {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if _, tooLarge := errors.AsType[*http.MaxBytesError](err); tooLarge {
		return refuse(http.StatusRequestEntityTooLarge, "request body is larger than %d bytes", maxBody)
	}
	if err != nil {
		return bad("read request body: %v", err)
	}
	if len(body) == 0 {
		return nil
	}
	return explain(json.Unmarshal(body, v))
}

// explain puts a JSON error into words about the field.
func explain(err error) error {
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok && wrong.Field != "" {
		return bad("field %q: want %s, got %s", wrong.Field, jsonName(wrong), wrong.Value)
	}
	if err != nil {
		return bad("request body is not valid JSON: %v", err)
	}
	return nil
}

// jsonName says what a field wants in words of JSON.
func jsonName(err *json.UnmarshalTypeError) string {
	switch kind := err.Type.Kind().String(); kind {
	case "int32", "int64", "int":
		return "a whole number"
	case "bool":
		return "true or false"
	case "slice":
		return "an array"
	case "map", "struct":
		return "an object"
	default:
		return "a " + kind
	}
}
