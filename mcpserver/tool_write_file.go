package mcpserver

import (
	"bytes"
	"context"
	"strings"

	"github.com/agentsandbox/agent-sandbox/mcpserver/internal/charset"
)

// writeFileOutput is the structured result of write_file.
type writeFileOutput struct {
	Success      bool   `json:"success"`
	BytesWritten int    `json:"bytes_written"`
	Path         string `json:"path"`
	SandboxID    string `json:"sandbox_id"`
	noted
}

func writeFile(ctx context.Context, s *Session, in *Arguments) (*Result, error) {
	path, err := in.path("path")
	if err != nil {
		return nil, err
	}
	if strings.HasSuffix(path, "/") {
		return nil, invalidArgument("path must name a file, not a directory; got %s.", quote(path))
	}
	codec, err := codecOf(in)
	if err != nil {
		return nil, err
	}
	data, err := codec.Encode(in.String("content"))
	if err != nil {
		return nil, invalidArgument("content cannot be written as %s: %v. Nothing was written.", codec.Name, err)
	}
	return s.Sandboxes.Do(ctx, in.String("sandbox_id"), 0, func(box *Box) (*Result, error) {
		if err := box.Write(ctx, path, bytes.NewReader(data)); err != nil {
			return nil, err
		}
		box.files.wrote(path, int64(len(data)))
		return &Result{Structured: &writeFileOutput{
			Success: true, BytesWritten: len(data), Path: path, SandboxID: box.Handle,
		}}, nil
	})
}

// codecOf gives the encoding that a call asks for.
func codecOf(in *Arguments) (*charset.Codec, error) {
	codec, err := charset.Lookup(in.String("encoding"))
	if err != nil {
		return nil, invalidArgument("encoding must be utf-8, base64 or the name of a charset such as latin1, gbk, shift_jis or utf-16; got %s.", quote(in.String("encoding")))
	}
	return codec, nil
}
