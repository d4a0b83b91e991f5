package conf

import "fmt"

// SyntaxError reports a document that its language does not allow. It names the
// place but never quotes the text there, which may be a secret.
type SyntaxError struct {
	Format       string
	Line, Column int // from 1; Column counts bytes; both 0 when unknown
	Reason       string
}

// Error implements error.
func (e *SyntaxError) Error() string {
	msg := "not valid " + e.Format
	if e.Line > 0 {
		msg += fmt.Sprintf(" (line %d, column %d)", e.Line, e.Column)
	}
	if e.Reason != "" {
		msg += ": " + e.Reason
	}
	return msg
}

// AmbiguousError reports a well-formed document in which the place of an entry
// is not certain: a key that occurs twice, a list where a mapping is needed.
type AmbiguousError struct {
	Key    string // the step of the path at fault
	Line   int
	Reason string
}

// Error implements error.
func (e *AmbiguousError) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%q %s", e.Key, e.Reason)
	}
	return fmt.Sprintf("%q %s (line %d)", e.Key, e.Reason, e.Line)
}

// UnsafeEditError reports an edit whose result failed the writer's own check.
// It means a bug of the editor; the file was not touched.
type UnsafeEditError struct{ Reason string }

// Error implements error.
func (e *UnsafeEditError) Error() string {
	return "edit refused by its own check: " + e.Reason
}

// Position returns the line and column of an offset, both from 1.
func Position(src []byte, offset int) (line, column int) {
	line, column = 1, 1
	for _, c := range src[:min(offset, len(src))] {
		column++
		if c == '\n' {
			line, column = line+1, 1
		}
	}
	return line, column
}
