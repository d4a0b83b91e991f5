package sandboxclient

import (
	"bytes"
	"io"
	"mime/multipart"
)

// multipartBody wraps content into a form with one part named "file", without
// holding it in memory. Part and query carry the same path (observed with the
// E2B SDK). A size of -1 stays unknown.
func multipartBody(path string, content io.Reader, size int64) (body io.Reader, total int64, contentType string) {
	var frame bytes.Buffer
	w := multipart.NewWriter(&frame)
	_, _ = w.CreateFormFile("file", path) // cannot fail: it writes to memory
	head := bytes.Clone(frame.Bytes())
	frame.Reset()
	_ = w.Close()
	if total = -1; size >= 0 {
		total = int64(len(head)) + size + int64(frame.Len())
	}
	return io.MultiReader(bytes.NewReader(head), content, &frame), total, w.FormDataContentType()
}
