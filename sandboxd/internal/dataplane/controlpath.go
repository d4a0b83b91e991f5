package dataplane

import (
	"encoding/json"
	"net/http"
	"slices"
)

// Paths of envd that only the control plane may call: from outside they do
// not exist.
var controlPaths = []string{"/init", "/freeze", "/unfreeze", "/collapse", "/fsfreeze", "/fsthaw"}

func controlPath(path string) bool { return slices.Contains(controlPaths, path) }

func writeControlPath(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(http.StatusNotFound)
	_ = json.NewEncoder(w).Encode(map[string]any{
		"message": "This path is not available from outside of the sandbox",
		"path":    r.URL.Path,
		"code":    http.StatusNotFound,
	})
}
