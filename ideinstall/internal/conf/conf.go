// Package conf edits one entry of a configuration file that belongs to
// somebody else. An edit is a list of splices of the original bytes: nothing is
// decoded and written again, so comments, order, numbers, escapes and line
// endings of everything else stay as they were.
//
// A [Format] knows one configuration language. [Apply] is the only writer: it
// runs the operations one by one and refuses each whose result it cannot prove
// harmless.
package conf

// Format parses documents of one configuration language.
type Format interface {
	// Blank is what an empty file stands for.
	Blank() []byte
	// Dialect is the strictest form of the language in which src is well formed:
	// what an edit makes of it must be so too.
	Dialect(src []byte) Format
	// Parse reads a whole document. A document that is not well formed gives a
	// *SyntaxError, one that an edit could misread an *AmbiguousError.
	Parse(src []byte) (Document, error)
}

// Document is one parsed file. Offsets refer to the bytes given to Parse.
//
// A path is a list of keys, never a dotted string, for keys may hold dots. The
// step "-" stands for the place after the last element of a list, a decimal
// number for the element at that index.
type Document interface {
	// Value is the decoded document: map[string]any, []any and scalars.
	Value() any
	// Find returns the bytes that an edit at path may replace: those of the
	// member with its key.
	Find(path []string) (Span, bool)
	// Set gives the splices that store v at path: the value alone is replaced
	// when there is one, else a member is inserted and with it every missing
	// container on the way.
	Set(path []string, v any) ([]Splice, error)
	// Remove gives the splices that cut the member at path. Its container stays,
	// empty if need be.
	Remove(path []string) ([]Splice, error)
}

// Span is the range of bytes from Start up to, not including, End.
type Span struct{ Start, End int }

// Splice replaces the bytes of a Span by Text.
type Splice struct {
	Span
	Text string
}

// Op is one change: Value is stored at Path, or the member at Path is removed
// when Value is nil. Values are string, bool, []string and Object.
type Op struct {
	Path  []string
	Value any
}

// Member is one key of an Object.
type Member struct {
	Key   string
	Value any
}

// Object is a mapping whose order is kept when it is written.
type Object []Member

// Get returns the value of key, nil when there is none.
func (o Object) Get(key string) any {
	for _, m := range o {
		if m.Key == key {
			return m.Value
		}
	}
	return nil
}
