// Package jsonc edits JSON with comments and trailing commas, and strict JSON,
// by splicing bytes. It never writes a comment or a trailing comma into a file
// that had none.
package jsonc

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/tailscale/hujson"

	"github.com/agentsandbox/agent-sandbox/ideinstall/internal/conf"
)

// Format is JSON. Strict refuses comments and trailing commas, for the files of
// clients whose own parser refuses them.
type Format struct{ Strict bool }

// Blank implements conf.Format.
func (Format) Blank() []byte { return []byte("{}\n") }

// Dialect implements conf.Format: strict JSON stays strict.
func (Format) Dialect(src []byte) conf.Format { return Format{Strict: json.Valid(src)} }

// Parse implements conf.Format. The root must be an object or null.
func (f Format) Parse(src []byte) (conf.Document, error) {
	if err := checkDepth(src); err != nil {
		return nil, err
	}
	// A line comment may end the file without a newline; hujson wants one. The
	// copy also keeps the tree from aliasing the caller's bytes.
	text := append(bytes.Clone(src), '\n')
	root, err := hujson.Parse(text)
	if err != nil {
		return nil, syntaxError(src, err)
	}
	if f.Strict && !json.Valid(src) {
		return nil, laxError(src, &root)
	}
	switch k := root.Value.Kind(); k {
	case '{', 'n':
	default:
		line, _ := conf.Position(src, root.StartOffset)
		return nil, &conf.AmbiguousError{Key: "the document", Line: line, Reason: "must be a JSON object"}
	}
	value, err := decode(&root)
	if err != nil {
		return nil, err
	}
	return &document{src: text[:len(src):len(src)], root: &root, value: value, style: styleOf(src)}, nil
}

// syntaxError keeps the place of a hujson error and drops its text, which may
// quote a secret. The library gives the place in its message only. A document
// that is cut off is wrong where it ends, not after the newline that Parse adds.
func syntaxError(src []byte, err error) error {
	e := &conf.SyntaxError{Format: "JSON"}
	if n, _ := fmt.Sscanf(err.Error(), "hujson: line %d, column %d:", &e.Line, &e.Column); n != 2 {
		e.Line, e.Column = 0, 0
	}
	if line, column := conf.Position(src, len(src)); e.Line > line {
		e.Line, e.Column = line, column
	}
	return e
}

// laxError names the first place at which src is JSON with comments only.
func laxError(src []byte, root *hujson.Value) error {
	e := &conf.SyntaxError{Format: "JSON", Reason: "this client's parser accepts no comments and no trailing commas"}
	var syntax *json.SyntaxError
	if err := json.Unmarshal(src, new(any)); err != nil {
		if s, ok := err.(*json.SyntaxError); ok {
			syntax = s
		}
	}
	if syntax != nil {
		e.Line, e.Column = conf.Position(src, int(syntax.Offset)-1)
	}
	return e
}

// decode gives the plain value of a tree; numbers keep their digits.
func decode(root *hujson.Value) (any, error) {
	std := root.Clone()
	std.Standardize()
	dec := json.NewDecoder(bytes.NewReader(std.Pack()))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		return nil, fmt.Errorf("decode document: %w", err)
	}
	return v, nil
}
