package sandboxclient

import (
	"bufio"
	"errors"
	"io"
)

// lineReader reads lines of any length up to a limit. A longer line is read to
// its end without being kept.
type lineReader struct {
	r     *bufio.Reader
	limit int
	long  []byte // a line that does not fit r's buffer
}

// errLongLine: the line was longer than the limit and is dropped; the next one
// can be read.
var errLongLine = errors.New("line is too long")

func newLineReader(r io.Reader, limit int) *lineReader {
	return &lineReader{r: bufio.NewReaderSize(r, 64<<10), limit: limit}
}

// next gives a line without its end. It is valid until the next call. At the
// end of the input a last line without an end is io.ErrUnexpectedEOF.
func (l *lineReader) next() ([]byte, error) {
	l.long = l.long[:0]
	dropped := false
	for {
		part, err := l.r.ReadSlice('\n')
		if len(l.long)+len(part) > l.limit {
			dropped, l.long = true, l.long[:0]
		}
		switch {
		case err == nil && dropped:
			return nil, errLongLine
		case err == nil && len(l.long) == 0:
			return part[:len(part)-1], nil
		case err == nil:
			l.long = append(l.long, part...)
			return l.long[:len(l.long)-1], nil
		case !errors.Is(err, bufio.ErrBufferFull):
			if errors.Is(err, io.EOF) && (len(part) > 0 || len(l.long) > 0 || dropped) {
				err = io.ErrUnexpectedEOF
			}
			return nil, err
		}
		if !dropped {
			l.long = append(l.long, part...)
		}
	}
}
