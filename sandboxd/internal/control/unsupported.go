package control

import (
	"net/http"
	"strings"
)

// notOffered lists the calls of the API that need what a machine of one's own
// does not have. "" as method stands for every method not served otherwise.
var notOffered = map[string]string{
	"POST /templates":                "building templates",
	"POST /v2/templates":             "building templates",
	"POST /v3/templates":             "building templates",
	"/templates/{rest...}":           "building, changing and tagging templates",
	"/v2/templates/{rest...}":        "building and changing templates",
	"/v3/templates/{rest...}":        "building and changing templates",
	"POST /sandboxes/{id}/snapshots": "snapshots",
	"/snapshots":                     "snapshots",
	"/snapshots/{rest...}":           "snapshots",
	"POST /sandboxes/{id}/fork":      "forking sandboxes",
	"/volumes":                       "volumes",
	"/volumes/{rest...}":             "volumes",
	"/volumecontent/{rest...}":       "volumes",
	"/secrets":                       "secrets",
	"/secrets/{rest...}":             "secrets",
	"/teams":                         "teams",
	"/teams/{rest...}":               "teams",
	"/api-keys":                      "managing API keys",
	"/api-keys/{rest...}":            "managing API keys",
	"/access-tokens":                 "managing access tokens",
	"/access-tokens/{rest...}":       "managing access tokens",
}

// addNotOffered adds a call that answers 501 to the routes.
func addNotOffered(routes map[string]methods, key, what string) {
	method, path := splitKey(key)
	if routes[path] == nil {
		routes[path] = methods{}
	}
	routes[path][method] = func(http.ResponseWriter, *http.Request) error {
		return &NotOffered{What: what}
	}
}

func splitKey(key string) (method, path string) {
	if method, path, ok := strings.Cut(key, " "); ok {
		return method, path
	}
	return "", key
}

// NotOffered is the error of something that the API has and this server, or
// its isolation, has not. It is answered as 501.
type NotOffered struct{ What string }

// Error implements error.
func (e *NotOffered) Error() string { return e.What + ": not offered by sandboxd" }
