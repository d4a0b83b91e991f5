package transfer

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"path/filepath"

	"github.com/agentsandbox/agent-sandbox/sandboxd/agent/internal/account"
	"github.com/agentsandbox/agent-sandbox/sandboxd/agent/internal/metadata"
)

const (
	typeMultipart = "multipart/form-data"
	typeRaw       = "application/octet-stream"
)

// written is one entry of the answer to an upload.
type written struct {
	Name     string            `json:"name"`
	Path     string            `json:"path"`
	Type     string            `json:"type"`
	Metadata map[string]string `json:"metadata,omitempty"`
}

// uploading is one POST on its way.
type uploading struct {
	h        *Handler
	r        *http.Request
	user     *account.User
	metadata map[string]string
	done     []written
}

// upload stores the files of a request and answers with their list.
func (h *Handler) upload(w http.ResponseWriter, r *http.Request) error {
	if err := h.authorize(r, opWrite); err != nil {
		return err
	}
	u, err := h.user(r)
	if err != nil {
		return err
	}
	up := &uploading{h: h, r: r, user: u, metadata: metadata.FromHeader(r.Header), done: []written{}}
	if up.metadata != nil && !h.opts.Modern {
		return fail(http.StatusBadRequest, "file metadata is not supported by this version of envd")
	}
	if err := up.receive(); err != nil {
		return err
	}
	body, err := json.Marshal(up.done)
	if err != nil {
		return err
	}
	// JSON as text/plain is the contract's.
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, _ = w.Write(body) // the client may be gone
	return nil
}

func (up *uploading) receive() error {
	kind, _, err := mime.ParseMediaType(up.r.Header.Get("Content-Type"))
	if err != nil && kind == "" {
		kind = up.r.Header.Get("Content-Type")
	}
	switch {
	case kind == typeMultipart:
		return up.receiveParts()
	case kind == typeRaw && up.h.opts.Modern:
		return up.receiveRaw()
	}
	expected := typeMultipart
	if up.h.opts.Modern {
		expected += " or " + typeRaw
	}
	return fail(http.StatusBadRequest, "unsupported content type: %s, expected %s", kind, expected)
}

// receiveRaw takes the whole body as the file that the path query names.
func (up *uploading) receiveRaw() error {
	path := up.r.URL.Query().Get("path")
	if path == "" {
		return fail(http.StatusBadRequest, "path query parameter is required for raw body upload")
	}
	body, err := decoded(up.r)
	if err != nil {
		return err
	}
	return up.store(path, body)
}

// receiveParts takes every part named "file". A body that ends inside the
// head of a part ends the list without an error (envd contract: multipart).
func (up *uploading) receiveParts() error {
	body, err := decoded(up.r)
	if err != nil {
		return err
	}
	up.r.Body = readAhead(body)
	parts, err := up.r.MultipartReader()
	if err != nil {
		return fail(http.StatusInternalServerError, "error parsing multipart form: %w", err)
	}
	for {
		part, err := parts.NextPart()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fail(http.StatusInternalServerError, "error reading form: %w", err)
		}
		if err := up.receivePart(part); err != nil {
			return err
		}
	}
}

// readAhead makes the multipart reader, which reads 4 KiB at a time, cost few
// system calls.
func readAhead(body io.ReadCloser) io.ReadCloser {
	return struct {
		io.Reader
		io.Closer
	}{bufio.NewReaderSize(body, copyBuffer), body}
}

func (up *uploading) receivePart(part *multipart.Part) error {
	defer part.Close()
	if part.FormName() != "file" {
		return nil
	}
	path := up.r.URL.Query().Get("path")
	if path == "" {
		path = fileName(part)
	}
	return up.store(path, part)
}

// fileName is the file name as it was sent: FileName would cut it to its base.
func fileName(part *multipart.Part) string {
	_, params, _ := mime.ParseMediaType(part.Header.Get("Content-Disposition"))
	return params["filename"]
}

// store writes one file and adds it to the answer.
func (up *uploading) store(path string, content io.Reader) error {
	abs, err := up.h.resolve(up.user, path)
	if err != nil {
		return err
	}
	for _, earlier := range up.done {
		if earlier.Path == abs {
			return fail(http.StatusBadRequest, "you cannot upload multiple files to the same path '%s' in one upload request, "+
				"only the first specified file was uploaded", abs)
		}
	}
	if err := writeFile(up.user, abs, content, up.metadata); err != nil {
		return err
	}
	up.done = append(up.done, written{Name: filepath.Base(abs), Path: abs, Type: "file", Metadata: up.metadata})
	return nil
}
