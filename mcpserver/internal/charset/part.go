package charset

import (
	"io"
	"unicode/utf8"

	"golang.org/x/text/transform"
)

// longest is the most bytes of a character in any encoding.
const longest = 4

// DecodePart turns a part of a file into text. Where the part was cut from what
// comes before or after, the rest of a character there is left out: front and
// back tell how many bytes.
func (c *Codec) DecodePart(data []byte, cutBefore, cutAfter bool) (text string, front, back int, err error) {
	if cutBefore && c.Name == UTF8 {
		for front < len(data) && front < longest-1 && !utf8.RuneStart(data[front]) {
			front++
		}
	}
	text, err = c.Decode(data[front:])
	for err != nil && cutAfter && back < longest-1 && back < len(data)-front {
		back++
		text, err = c.Decode(data[front : len(data)-back])
	}
	return text, front, back, err
}

// NewReader gives the text of a stream as UTF-8, with U+FFFD for what is not of
// the encoding. Plain UTF-8 passes as it is.
func (c *Codec) NewReader(r io.Reader) io.Reader {
	if c.set == nil {
		return r
	}
	return transform.NewReader(r, c.set.NewDecoder())
}
