package jsonc

import "github.com/agentsandbox/agent-sandbox/ideinstall/internal/conf"

// maxDepth is the nesting that encoding/json allows. hujson has no limit of its
// own and a hostile file would exhaust the stack, which no recover can stop.
const maxDepth = 10_000

// checkDepth refuses brackets nested deeper than maxDepth. It knows just enough
// of the grammar to skip strings and comments.
func checkDepth(src []byte) error {
	depth := 0
	for i := 0; i < len(src); i++ {
		switch src[i] {
		case '"':
			i = skipString(src, i)
		case '/':
			i = skipComment(src, i)
		case '[', '{':
			if depth++; depth > maxDepth {
				line, col := conf.Position(src, i)
				return &conf.SyntaxError{Format: "JSON", Line: line, Column: col, Reason: "nested too deep"}
			}
		case ']', '}':
			depth--
		}
	}
	return nil
}

// skipString returns the offset of the quote that ends the string at i.
func skipString(src []byte, i int) int {
	for i++; i < len(src) && src[i] != '"'; i++ {
		if src[i] == '\\' {
			i++
		}
	}
	return i
}

// skipComment returns the offset of the last byte of the comment at i, i itself
// when there is none.
func skipComment(src []byte, i int) int {
	if i+1 >= len(src) {
		return i
	}
	switch src[i+1] {
	case '/':
		for i++; i+1 < len(src) && src[i+1] != '\n'; i++ {
		}
	case '*':
		for i += 3; i < len(src) && !(src[i-1] == '*' && src[i] == '/'); i++ {
		}
	}
	return i
}
