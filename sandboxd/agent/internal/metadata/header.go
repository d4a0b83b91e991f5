// Package metadata keeps the user metadata of files: it arrives in headers of
// an upload and is stored in extended attributes of the file.
package metadata

import (
	"net/http"
	"strings"
)

// headerPrefix begins the name of a metadata header (envd contract, 0.6.2).
const headerPrefix = "X-Metadata-"

// FromHeader collects the metadata of an upload, keys in lower case. It is
// nil when there is none.
func FromHeader(header http.Header) map[string]string {
	var found map[string]string
	for name, values := range header {
		key, ok := strings.CutPrefix(name, headerPrefix)
		if !ok || key == "" || len(values) == 0 {
			continue
		}
		if found == nil {
			found = map[string]string{}
		}
		found[strings.ToLower(key)] = values[0]
	}
	return found
}
