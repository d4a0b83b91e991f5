package cmdutil

import (
	"encoding/json"
	"io"
)

// WriteJSON prints v as one indented JSON document, without HTML escapes.
func WriteJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}
