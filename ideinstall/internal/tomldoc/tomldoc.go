// Package tomldoc edits TOML by splicing bytes: an entry is a table of its own,
// appended at the end, and its keys are single lines of that table.
package tomldoc

import (
	"errors"
	"fmt"

	"github.com/pelletier/go-toml/v2"

	"github.com/agentsandbox/agent-sandbox/ideinstall/internal/conf"
)

// Format is TOML 1.0.
type Format struct{}

// Blank implements conf.Format.
func (Format) Blank() []byte { return nil }

// Dialect implements conf.Format; TOML has but one.
func (f Format) Dialect([]byte) conf.Format { return f }

// Parse implements conf.Format.
func (Format) Parse(src []byte) (conf.Document, error) {
	value := map[string]any{}
	if err := toml.Unmarshal(src, &value); err != nil {
		return nil, syntaxError(err)
	}
	statements, err := scan(src)
	if err != nil {
		return nil, err
	}
	return &document{src: src, value: value, statements: statements, newline: conf.Newline(src)}, nil
}

// syntaxError keeps the place and drops the text, which may quote a secret.
func syntaxError(err error) error {
	e := &conf.SyntaxError{Format: "TOML"}
	var decode *toml.DecodeError
	if errors.As(err, &decode) {
		e.Line, e.Column = decode.Position()
	}
	return e
}

// keyText writes one key of a path, quoted unless it is bare.
func keyText(key string) string {
	for _, c := range key {
		bare := c == '_' || c == '-' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
		if !bare {
			return quote(key)
		}
	}
	if key == "" {
		return `""`
	}
	return key
}

// quote writes a basic string.
func quote(s string) string {
	out := []byte{'"'}
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			out = append(out, '\\', byte(r))
		case r < ' ' || r == 0x7f:
			out = fmt.Appendf(out, `\u%04X`, r)
		default:
			out = append(out, string(r)...)
		}
	}
	return string(append(out, '"'))
}
