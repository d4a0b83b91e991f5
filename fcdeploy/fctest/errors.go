package fctest

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
)

// apiError is an error as FC answers it.
type apiError struct {
	status        int
	code, message string
	generation2   bool // FC 2.0 names the members differently
}

func (e *apiError) write(w http.ResponseWriter) {
	id := rand.Text()
	w.Header().Set("X-Fc-Request-Id", id)
	body := map[string]string{"Code": e.code, "Message": e.message, "RequestId": id}
	if e.generation2 {
		body = map[string]string{"ErrorCode": e.code, "ErrorMessage": e.message}
	}
	writeJSON(w, e.status, body)
}

func invalid(format string, args ...any) *apiError {
	return &apiError{status: http.StatusBadRequest, code: "InvalidArgument", message: fmt.Sprintf(format, args...)}
}

func notFound(code, format string, args ...any) *apiError {
	return &apiError{status: http.StatusNotFound, code: code, message: fmt.Sprintf(format, args...)}
}

func conflict(code, format string, args ...any) *apiError {
	return &apiError{status: http.StatusConflict, code: code, message: fmt.Sprintf(format, args...)}
}

func writeJSON(w http.ResponseWriter, status int, body any) {
	if body == nil {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	text, err := json.Marshal(body)
	if err != nil {
		panic(fmt.Sprintf("fctest: encode answer: %v", err)) // our own types
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(text) // the caller may have gone
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
