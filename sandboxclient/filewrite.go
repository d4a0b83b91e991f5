package sandboxclient

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"path"
	"strings"
	"sync/atomic"

	"github.com/agentsandbox/agent-sandbox/sandboxclient/api"
)

// WriteOptions configure Write and WriteFrom; nil means the defaults.
type WriteOptions struct {
	// User owns the file and decides the home; "" is the default user.
	User string
	// Metadata is kept with the file. envd before 0.6.2 cannot:
	// CodeUnsupported.
	Metadata map[string]string
}

// Write makes or replaces a file; missing parents are made. It gives the path
// that was written. A directory in its place is CodeIsDirectory, a full disk
// CodeNoSpace.
func (f *Files) Write(ctx context.Context, path string, content []byte, opts *WriteOptions) (string, error) {
	return f.write(ctx, path, func() (io.Reader, int64, error) { return bytes.NewReader(content), int64(len(content)), nil }, true, opts)
}

// WriteFrom is Write of all that r gives, in constant memory. It is sent once:
// when it breaks off, part of the file may be there.
func (f *Files) WriteFrom(ctx context.Context, path string, r io.Reader, opts *WriteOptions) (string, error) {
	rest, repeatable := r.(io.Seeker)
	start := int64(0)
	if repeatable {
		var err error
		if start, err = rest.Seek(0, io.SeekCurrent); err != nil {
			repeatable = false
		}
	}
	if !repeatable {
		return f.write(ctx, path, func() (io.Reader, int64, error) { return r, -1, nil }, false, opts)
	}
	return f.write(ctx, path, func() (io.Reader, int64, error) {
		size, err := sizeFrom(rest, start)
		return r, size, err
	}, true, opts)
}

// sizeFrom puts s at start and gives how many bytes follow.
func sizeFrom(s io.Seeker, start int64) (int64, error) {
	end, err := s.Seek(0, io.SeekEnd)
	if err != nil {
		return 0, err
	}
	_, err = s.Seek(start, io.SeekStart)
	return end - start, err
}

// write uploads what source gives; source is asked again for each attempt.
func (f *Files) write(ctx context.Context, name string, source func() (io.Reader, int64, error), repeatable bool, opts *WriteOptions) (string, error) {
	const op = "write file"
	if opts == nil {
		opts = &WriteOptions{}
	}
	if name == "" {
		return "", invalidArgument(op, errors.New("path is empty"))
	}
	if len(opts.Metadata) > 0 && !f.sandbox.version.atLeast(envdMetadata) {
		return "", &Error{Op: op, Code: CodeUnsupported, SandboxID: f.sandbox.ID, Message: "file metadata needs envd 0.6.2, this sandbox has " + f.sandbox.EnvdVersion}
	}
	var written string
	var sent error // why the one upload of an unrepeatable source failed
	err := f.sandbox.envd.call(ctx, repeatable, func() error {
		if sent != nil {
			return sent
		}
		content, size, err := source()
		if err != nil {
			return invalidArgument(op, err)
		}
		reader := &sourceReader{r: content}
		written, err = f.post(ctx, op, name, reader, size, opts)
		if err != nil && reader.used.Load() && !repeatable {
			sent = err
		}
		return err
	})
	return written, f.wrongKind(ctx, err, name, opts.User)
}

func (f *Files) post(ctx context.Context, op, name string, source *sourceReader, size int64, opts *WriteOptions) (string, error) {
	stream, cancel := context.WithCancelCause(ctx)
	defer cancel(errLeft)
	source.dog = newWatchdog(f.sandbox.client.fileIdle, func() { cancel(errIdleFile) })
	defer source.dog.rest()
	req, err := f.upload(stream, name, source, size, opts)
	if err != nil {
		return "", invalidArgument(op, err)
	}
	resp, err := f.sandbox.envd.Do(req)
	failed := source.failed.Load()
	switch {
	case failed != nil:
		return "", &Error{Op: op, Code: CodeInvalidArgument, SandboxID: f.sandbox.ID, Err: *failed, Message: "the source of the upload failed, part of the file may be there"}
	case err != nil && stream.Err() != nil:
		return "", transportError(op, f.sandbox.ID, context.Cause(stream))
	case err != nil:
		return "", fileError(op, f.sandbox.ID, err)
	}
	defer closeBody(resp)
	return writtenPath(op, f.sandbox.ID, resp)
}

// upload is the request: raw where envd takes that, else multipart.
func (f *Files) upload(ctx context.Context, name string, content io.Reader, size int64, opts *WriteOptions) (*http.Request, error) {
	contentType := "application/octet-stream"
	if !f.sandbox.version.atLeast(envdOctetStream) {
		content, size, contentType = multipartBody(path.Clean(name), content, size)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, f.fileURL(name, opts.User), content)
	if err != nil {
		return nil, err
	}
	if req.ContentLength = size; size == 0 {
		req.Body = http.NoBody
	}
	req.Header.Set("Content-Type", contentType)
	for key, value := range opts.Metadata {
		if strings.ContainsAny(key+value, "\r\n") {
			return nil, fmt.Errorf("metadata %q holds a line break", key)
		}
		req.Header.Set(api.HeaderMetadataPrefix+key, value)
	}
	return req, nil
}

// sourceReader remembers that the caller's reader failed, and keeps the
// watchdog quiet while that reads and while bytes flow. The transport may still
// read when the answer is there already.
type sourceReader struct {
	r      io.Reader
	dog    *watchdog
	used   atomic.Bool
	failed atomic.Pointer[error]
}

func (s *sourceReader) Read(p []byte) (int, error) {
	s.used.Store(true)
	s.dog.rest()
	n, err := s.r.Read(p)
	s.dog.pet()
	if err != nil && !errors.Is(err, io.EOF) {
		s.failed.Store(&err)
	}
	return n, err
}

// fileError names the operation in an error of the files endpoint.
func fileError(op, sandboxID string, err error) error {
	e, ok := errors.AsType[*Error](err)
	if !ok {
		return transportError(op, sandboxID, err)
	}
	named := *e
	named.Op = op
	if named.Code == CodeNotFound {
		named.Resource = ResourcePath
	}
	return &named
}

// writtenPath reads the answer, which is JSON sent as text/plain. An empty list
// means that the backend ignored the upload.
func writtenPath(op, sandboxID string, resp *http.Response) (string, error) {
	var written []api.WrittenFile
	err := json.NewDecoder(io.LimitReader(resp.Body, maxErrorBody)).Decode(&written)
	if err == nil && len(written) == 0 {
		err = errors.New("the backend wrote nothing")
	}
	if err != nil {
		return "", &Error{Op: op, Code: CodeOutcomeUnknown, Status: resp.StatusCode, SandboxID: sandboxID, Err: err}
	}
	return written[0].Path, nil
}
