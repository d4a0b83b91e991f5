package tomldoc

import (
	"bytes"

	"github.com/pelletier/go-toml/v2"

	"github.com/agentsandbox/agent-sandbox/ideinstall/internal/conf"
)

type kind int

const (
	keyValue   kind = iota
	table           // [a.b]
	arrayTable      // [[a.b]]
)

// statement is one header or one key with its value.
type statement struct {
	kind       kind
	keys       []string // as written: of a key/value relative to its table
	table      []string // the table that a key/value stands in
	start      int      // first byte of the key or of the bracket
	valueStart int
	end        int // after the value or the closing bracket
}

// scanner walks over a document that the TOML parser has already accepted, so it
// need not diagnose anything: it only has to find where statements lie.
type scanner struct {
	src []byte
	at  int
}

func scan(src []byte) ([]statement, error) {
	s := &scanner{src: src}
	var out []statement
	var current []string
	for s.skipTrivia(); s.at < len(src); s.skipTrivia() {
		st, err := s.statement()
		if err != nil {
			return nil, err
		}
		if st.kind == keyValue {
			st.table = current
		} else {
			current = st.keys
		}
		out = append(out, st)
	}
	return out, nil
}

// skipTrivia moves over white space, newlines and comments.
func (s *scanner) skipTrivia() {
	for ; s.at < len(s.src); s.at++ {
		switch s.src[s.at] {
		case ' ', '\t', '\r', '\n':
		case '#':
			s.toLineEnd()
			s.at--
		default:
			return
		}
	}
}

func (s *scanner) toLineEnd() {
	if i := bytes.IndexByte(s.src[s.at:], '\n'); i >= 0 {
		s.at += i
	} else {
		s.at = len(s.src)
	}
}

func (s *scanner) statement() (statement, error) {
	st := statement{start: s.at}
	closing := 0
	for closing < 2 && s.at < len(s.src) && s.src[s.at] == '[' {
		s.at++
		closing++
	}
	st.kind = kind(closing)
	keysStart := s.at
	stop := byte('=')
	if closing > 0 {
		stop = ']'
	}
	s.until(stop)
	keys, err := splitKeys(s.src[keysStart:s.at])
	if err != nil || s.at == len(s.src) {
		return st, s.misread(st.start)
	}
	st.keys = keys
	if closing > 0 {
		s.at += closing
		st.end = s.at
		return st, nil
	}
	s.at++
	for s.at < len(s.src) && (s.src[s.at] == ' ' || s.src[s.at] == '\t') {
		s.at++
	}
	st.valueStart = s.at
	s.value()
	st.end = st.valueStart + len(bytes.TrimRight(s.src[st.valueStart:s.at], " \t\r\n"))
	return st, nil
}

// until moves to the next stop byte outside strings.
func (s *scanner) until(stop byte) {
	for s.at < len(s.src) && s.src[s.at] != stop {
		s.skipToken()
	}
}

// value moves over a value, to the end of its line or to a comment.
func (s *scanner) value() {
	for depth := 0; s.at < len(s.src); {
		switch c := s.src[s.at]; {
		case c == '[' || c == '{':
			depth++
		case c == ']' || c == '}':
			depth--
		case c == '#' && depth > 0:
			s.toLineEnd()
		case depth == 0 && (c == '\n' || c == '#'):
			return
		}
		s.skipToken()
	}
}

// skipToken moves over one string of any of the four kinds, else over one byte.
func (s *scanner) skipToken() {
	if s.at >= len(s.src) {
		return
	}
	q := s.src[s.at]
	if q != '"' && q != '\'' {
		s.at++
		return
	}
	long := bytes.Repeat([]byte{q}, 3)
	if bytes.HasPrefix(s.src[s.at:], long) {
		s.skipLong(q, long)
		return
	}
	for s.at++; s.at < len(s.src) && s.src[s.at] != q; s.at++ {
		if q == '"' && s.src[s.at] == '\\' {
			s.at++
		}
	}
	s.at = min(s.at+1, len(s.src))
}

// skipLong moves over a multi-line string; up to two quotes may stand before the
// three that close it.
func (s *scanner) skipLong(q byte, long []byte) {
	for s.at += 3; s.at < len(s.src) && !bytes.HasPrefix(s.src[s.at:], long); s.at++ {
		if q == '"' && s.src[s.at] == '\\' {
			s.at++
		}
	}
	s.at = min(s.at+3, len(s.src))
	for range 2 {
		if s.at < len(s.src) && s.src[s.at] == q {
			s.at++
		}
	}
}

// splitKeys decodes a dotted key.
func splitKeys(text []byte) ([]string, error) {
	var keys []string
	s := &scanner{src: text}
	for s.at <= len(text) {
		start := s.at
		s.until('.')
		key, err := decodeKey(bytes.TrimSpace(text[start:s.at]))
		if err != nil {
			return nil, err
		}
		keys = append(keys, key)
		s.at++
	}
	return keys, nil
}

func decodeKey(text []byte) (string, error) {
	if len(text) == 0 || text[0] != '"' {
		return string(bytes.Trim(text, "'")), nil
	}
	var v struct{ K string }
	err := toml.Unmarshal(append([]byte("K = "), text...), &v)
	return v.K, err
}

func (s *scanner) misread(offset int) error {
	line, col := conf.Position(s.src, offset)
	return &conf.SyntaxError{Format: "TOML", Line: line, Column: col, Reason: "statement not understood"}
}
