// Package rest writes the JSON answers of the agent's plain HTTP endpoints.
package rest

import (
	"encoding/json"
	"net/http"
	"strconv"
)

type failure struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

// Error answers with {"code":status,"message":message}.
func Error(w http.ResponseWriter, status int, message string) {
	body, _ := json.Marshal(failure{Code: status, Message: message}) // plain data cannot fail
	w.Header().Set("X-Content-Type-Options", "nosniff")
	write(w, status, "application/json; charset=utf-8", body)
}

// JSON answers 200 with v, which must be plain data, and forbids caching.
func JSON(w http.ResponseWriter, v any) {
	body, err := json.Marshal(v)
	if err != nil {
		Error(w, http.StatusInternalServerError, "encode answer: "+err.Error())
		return
	}
	w.Header().Set("Cache-Control", "no-store")
	write(w, http.StatusOK, "application/json", body)
}

func write(w http.ResponseWriter, status int, contentType string, body []byte) {
	w.Header().Set("Content-Type", contentType)
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	_, _ = w.Write(body) // the client may be gone; there is nobody to tell
}
