package mcpserver

import (
	"context"
	"io"

	"github.com/agentsandbox/agent-sandbox/mcpserver/internal/charset"
)

// readFileOutput is the structured result of read_file.
type readFileOutput struct {
	Content   string `json:"content"`
	Encoding  string `json:"encoding"`
	Size      int64  `json:"size"`
	Truncated bool   `json:"truncated"`
	SandboxID string `json:"sandbox_id"`
	noted
}

// maxRead is how many bytes of a file one call gives at most.
const maxRead = 1 << 20

func readFile(ctx context.Context, s *Session, in *Arguments) (*Result, error) {
	path, err := in.path("path")
	if err != nil {
		return nil, err
	}
	codec, err := codecOf(in)
	if err != nil {
		return nil, err
	}
	part, err := partOf(in, codec)
	if err != nil {
		return nil, err
	}
	return s.Sandboxes.Do(ctx, in.String("sandbox_id"), 0, func(box *Box) (*Result, error) {
		content, size, err := box.Open(ctx, path, part.offset, part.fetch())
		if err != nil {
			return nil, err
		}
		defer func() { _ = content.Close() }()
		res := &Result{Structured: &readFileOutput{Encoding: codec.Name, Size: size, SandboxID: box.Handle}}
		if part.byLine {
			return part.readLines(res, content, codec)
		}
		return part.readBytes(res, content, codec)
	})
}

// filePart is the part of a file that a call asks for.
type filePart struct {
	offset, length int64 // length 0: as much as a call gives
	byLine         bool
	first, lines   int64 // first counted from 1; lines 0: as many as a call gives
}

func partOf(in *Arguments, codec *charset.Codec) (*filePart, error) {
	p := &filePart{first: 1}
	bounds := []struct {
		name  string
		least int64
		to    *int64
	}{{"start_line", 1, &p.first}, {"max_lines", 1, &p.lines}, {"offset", 0, &p.offset}, {"length", 1, &p.length}}
	given := map[string]bool{}
	for _, b := range bounds {
		n, ok := in.Int(b.name)
		if !ok {
			continue
		}
		if n < b.least {
			return nil, invalidArgument("%s must be at least %d; got %d.", b.name, b.least, n)
		}
		*b.to, given[b.name] = n, true
	}
	p.byLine = given["start_line"] || given["max_lines"]
	switch {
	case p.byLine && (given["offset"] || given["length"]):
		return nil, invalidArgument("start_line and max_lines count lines, offset and length count bytes; pass one pair or the other.")
	case p.byLine && codec.Name == charset.Base64:
		return nil, invalidArgument("base64 has no lines; pass offset and length instead of start_line and max_lines.")
	}
	return p, nil
}

// fetch is how many bytes to ask the backend for; 0 is the whole file, of which
// lines are read as far as they are wanted.
func (p *filePart) fetch() int64 {
	switch {
	case p.byLine:
		return 0
	case p.length > 0:
		return min(p.length, maxRead)
	}
	return maxRead
}

// readBytes gives a range of bytes, without the parts of characters at its ends.
func (p *filePart) readBytes(res *Result, content io.Reader, codec *charset.Codec) (*Result, error) {
	out := res.Structured.(*readFileOutput)
	data, err := io.ReadAll(io.LimitReader(content, maxRead))
	if err != nil {
		return nil, err
	}
	if out.Size < 0 { // the backend did not tell
		out.Size = p.offset + int64(len(data))
	}
	end := p.offset + int64(len(data))
	out.Truncated = end < out.Size
	text, front, back, err := codec.DecodePart(data, p.offset > 0, out.Truncated)
	if err != nil {
		return nil, errNotText(codec)
	}
	out.Content = text
	if front > 0 {
		res.notef("offset %d is inside a character; the content begins at %d.", p.offset, p.offset+int64(front))
	}
	if out.Truncated {
		next := end - int64(back)
		res.notef("These are the bytes from %d to %d of %d. To read on, pass offset %d.", p.offset, next-1, out.Size, next)
	}
	return res, nil
}

func errNotText(codec *charset.Codec) *ToolError {
	return invalidArgument("The file is not %s text. Pass encoding base64 for a binary file, or the charset of the text, such as latin1 or gbk.", codec.Name)
}
