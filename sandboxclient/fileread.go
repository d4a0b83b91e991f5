package sandboxclient

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// ReadOptions configure Read and Open; nil reads the whole file.
type ReadOptions struct {
	User string
	// Offset is the first byte to read, counted from 0.
	Offset int64
	// Length is how many bytes to read at most; 0: to the end.
	Length int64
}

// FileReader is the content of a file, or of a part of it. Close it.
type FileReader struct {
	// Size is the size of the whole file in bytes, -1 when not known.
	Size int64
	// ContentType is the backend's guess.
	ContentType string
	// ModTime is zero when the backend does not say it.
	ModTime time.Time

	body   io.Reader
	close  func() error
	dog    *watchdog
	cancel context.CancelCauseFunc
	ctx    context.Context
	op     string
	id     string
}

// Read gives the content of a file. It holds all of it in memory: use Open for
// large ones. A missing file is CodeNotFound, a directory CodeIsDirectory.
func (f *Files) Read(ctx context.Context, path string, opts *ReadOptions) ([]byte, error) {
	r, err := f.Open(ctx, path, opts)
	if err != nil {
		return nil, err
	}
	defer func() { _ = r.Close() }()
	return io.ReadAll(r)
}

// Open gives the content of a file as a stream, which ctx and Close end.
func (f *Files) Open(ctx context.Context, path string, opts *ReadOptions) (*FileReader, error) {
	const op = "read file"
	if opts == nil {
		opts = &ReadOptions{}
	}
	if opts.Offset < 0 || opts.Length < 0 {
		return nil, invalidArgument(op, fmt.Errorf("offset %d and length %d must not be negative", opts.Offset, opts.Length))
	}
	stream, cancel := context.WithCancelCause(ctx)
	r := &FileReader{cancel: cancel, ctx: stream, op: op, id: f.sandbox.ID}
	r.dog = newWatchdog(f.sandbox.client.fileIdle, func() { cancel(errIdleFile) })
	err := f.sandbox.envd.call(stream, true, func() error { return f.get(r, path, opts) })
	if err != nil {
		r.finish()
		return nil, f.wrongKind(ctx, err, path, opts.User)
	}
	r.dog.rest() // until Read waits
	return r, nil
}

// errIdleFile ends a transfer that stands still.
var errIdleFile = errors.New("the file transfer stood still for too long")

func (f *Files) get(r *FileReader, path string, opts *ReadOptions) error {
	req, err := http.NewRequestWithContext(r.ctx, http.MethodGet, f.fileURL(path, opts.User), nil)
	if err != nil {
		return invalidArgument(r.op, err)
	}
	req.Header.Set("Accept-Encoding", "identity") // keeps the length, saves the work
	if opts.Offset > 0 || opts.Length > 0 {
		req.Header.Set("Range", byteRange(opts))
	}
	resp, err := f.sandbox.envd.Do(req)
	if err != nil {
		return r.refused(err)
	}
	r.take(resp)
	if resp.StatusCode == http.StatusOK { // whole file, even if a part was asked for
		return r.cutOut(opts)
	}
	return nil
}

func byteRange(opts *ReadOptions) string {
	if opts.Length == 0 {
		return fmt.Sprintf("bytes=%d-", opts.Offset)
	}
	return fmt.Sprintf("bytes=%d-%d", opts.Offset, opts.Offset+opts.Length-1)
}

// refused turns the refusals of a download into errors; a range behind the end
// of the file is none but an empty read.
func (r *FileReader) refused(err error) error {
	e, ok := errors.AsType[*Error](err)
	if !ok {
		return transportError(r.op, r.id, err)
	}
	named := *e
	named.Op = r.op
	switch named.Status {
	case http.StatusRequestedRangeNotSatisfiable:
		r.body, r.close = strings.NewReader(""), func() error { return nil }
		r.Size = totalSize(named.header)
		return nil
	case http.StatusNotFound:
		named.Resource = ResourcePath
	}
	return &named
}

func (r *FileReader) take(resp *http.Response) {
	r.body, r.close = resp.Body, resp.Body.Close
	r.Size = resp.ContentLength
	r.ContentType = resp.Header.Get("Content-Type")
	r.ModTime, _ = http.ParseTime(resp.Header.Get("Last-Modified"))
	if resp.StatusCode == http.StatusPartialContent {
		r.Size = totalSize(resp.Header)
	}
}

// totalSize is the size of the whole file in a Content-Range, "bytes 0-4/20"
// or "bytes */20"; -1 when it does not say.
func totalSize(h http.Header) int64 {
	_, total, _ := strings.Cut(h.Get("Content-Range"), "/")
	if n, err := strconv.ParseInt(total, 10, 64); err == nil {
		return n
	}
	return -1
}

// cutOut takes the asked part out of a whole file.
func (r *FileReader) cutOut(opts *ReadOptions) error {
	if opts.Offset > 0 {
		if _, err := io.CopyN(io.Discard, r, opts.Offset); err != nil && !errors.Is(err, io.EOF) {
			return err
		}
	}
	if opts.Length > 0 {
		r.body = io.LimitReader(r.body, opts.Length)
	}
	return nil
}

// Read reads on. An end before the announced length is CodeOutcomeUnknown, not
// the end of the file.
func (r *FileReader) Read(p []byte) (int, error) {
	r.dog.pet()
	n, err := r.body.Read(p)
	r.dog.rest()
	if err == nil || errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return n, err
	}
	if r.ctx.Err() != nil {
		err = context.Cause(r.ctx)
	}
	return n, transportError(r.op, r.id, err)
}

// Close ends the transfer.
func (r *FileReader) Close() error {
	defer r.finish()
	return r.close()
}

func (r *FileReader) finish() {
	r.dog.rest()
	r.cancel(errLeft)
}
