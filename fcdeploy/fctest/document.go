package fctest

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
)

// document is a JSON object as it was sent. FC keeps members that an update
// does not mention, and null is the same as absent.
type document map[string]any

func parseDocument(body []byte, known []string) (document, *apiError) {
	decoder := json.NewDecoder(bytes.NewReader(body))
	var doc document
	if err := decoder.Decode(&doc); err != nil || doc == nil {
		return nil, invalid("the request body is not a JSON object")
	}
	maps.DeleteFunc(doc, func(_ string, value any) bool { return value == nil })
	for name := range doc {
		if !slices.Contains(known, name) {
			return nil, invalid("unknown member %s", name)
		}
	}
	return doc, nil
}

// merge returns d with the members of update.
func (d document) merge(update document) document {
	merged := maps.Clone(d)
	maps.Copy(merged, update)
	return merged
}

// decode reads d into a struct; a member of another type is an error.
func (d document) decode(into any) *apiError {
	text, err := json.Marshal(d)
	if err == nil {
		err = json.Unmarshal(text, into)
	}
	if err != nil {
		return invalid("%v", err)
	}
	return nil
}

func (d document) text(name string) string {
	text, _ := d[name].(string)
	return text
}
