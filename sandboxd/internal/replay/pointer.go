package replay

import (
	"strconv"
	"strings"
)

// edit replaces every value that a JSON pointer names in doc, and returns doc.
// "*" stands for every key or index. A pointer to nothing changes nothing.
func edit(doc any, pointer string, change func(any) any) any {
	if pointer == "" {
		return change(doc)
	}
	key, rest := splitPointer(pointer)
	switch node := doc.(type) {
	case map[string]any:
		for name, value := range node {
			if key == "*" || key == name {
				node[name] = edit(value, rest, change)
			}
		}
	case []any:
		for i, value := range node {
			if key == "*" || key == strconv.Itoa(i) {
				node[i] = edit(value, rest, change)
			}
		}
	}
	return doc
}

// values collects what a pointer names.
func values(doc any, pointer string) []any {
	var found []any
	edit(doc, pointer, func(v any) any {
		found = append(found, v)
		return v
	})
	return found
}

func splitPointer(pointer string) (key, rest string) {
	key, rest, more := strings.Cut(strings.TrimPrefix(pointer, "/"), "/")
	if more {
		rest = "/" + rest
	}
	return strings.NewReplacer("~1", "/", "~0", "~").Replace(key), rest
}

// below returns the part of a pointer under a top-level field of the capture.
func below(pointer, field string) (rest string, ok bool) {
	rest, ok = strings.CutPrefix(pointer, "/"+field)
	return rest, ok && (rest == "" || rest[0] == '/')
}
