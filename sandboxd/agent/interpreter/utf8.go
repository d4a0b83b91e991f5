package interpreter

import (
	"strings"
	"unicode/utf8"
)

// textDecoder turns pieces of output into text. A character that is cut by the
// end of a piece is kept for the next one; bytes that are no UTF-8 become U+FFFD.
type textDecoder struct{ carry []byte }

func (d *textDecoder) decode(piece []byte) string {
	data := append(d.carry, piece...)
	whole := len(data) - incompleteTail(data)
	text := strings.ToValidUTF8(string(data[:whole]), "\uFFFD")
	d.carry = append([]byte(nil), data[whole:]...)
	return text
}

// flush returns what is left when no more comes.
func (d *textDecoder) flush() string {
	text := strings.ToValidUTF8(string(d.carry), "\uFFFD")
	d.carry = nil
	return text
}

// incompleteTail counts the bytes at the end of data that begin a character
// without completing it.
func incompleteTail(data []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(data); n++ {
		start := data[len(data)-n]
		if utf8.RuneStart(start) {
			if utf8.FullRune(data[len(data)-n:]) {
				return 0
			}
			return n
		}
	}
	return 0
}
