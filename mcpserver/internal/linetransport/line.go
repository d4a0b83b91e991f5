package linetransport

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// line is one line without its end. Of a line that is too long nothing is kept.
type line struct {
	data    []byte
	tooLong bool
}

type lineReader struct {
	r   *bufio.Reader
	max int
}

func newLineReader(r io.Reader, limit int) *lineReader {
	return &lineReader{r: bufio.NewReaderSize(r, 64<<10), max: limit}
}

// next gives the next line that is not blank. The last line needs no newline.
func (r *lineReader) next() (line, error) {
	for {
		l, err := r.read()
		l.data = bytes.TrimRight(l.data, "\r\n")
		if l.tooLong || len(bytes.TrimSpace(l.data)) > 0 {
			return l, nil // an error shows again at the next read
		}
		if err != nil {
			return line{}, err
		}
	}
}

func (r *lineReader) read() (line, error) {
	var l line
	for {
		part, err := r.r.ReadSlice('\n')
		if l.tooLong = l.tooLong || len(l.data)+len(part) > r.max+len("\r\n"); l.tooLong {
			l.data = nil
		} else {
			l.data = append(l.data, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return l, err
		}
	}
}
