package transfer

import (
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"mime"
	"net/http"
	"os"
	"path/filepath"
)

// download answers with the bytes of a regular file, or a range of them.
func (h *Handler) download(w http.ResponseWriter, r *http.Request) error {
	if err := h.authorize(r, opRead); err != nil {
		return err
	}
	u, err := h.user(r)
	if err != nil {
		return err
	}
	path, err := h.resolve(u, r.URL.Query().Get("path"))
	if err != nil {
		return err
	}
	if err := readable(path); err != nil {
		return err
	}
	coding, err := acceptedCoding(r)
	if err != nil {
		return fail(http.StatusNotAcceptable, "error parsing Accept-Encoding: %w", err)
	}
	file, err := os.Open(path)
	if err != nil {
		return fail(statusOf(err), "error opening file '%s': %w", path, err)
	}
	defer file.Close()
	describe(w, path)
	if coding == codingGzip {
		return sendGzip(w, file)
	}
	return sendPlain(w, r, file)
}

// readable insists on a regular file: a read of a pipe or a device may never end.
func readable(path string) error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fail(http.StatusNotFound, "path '%s' does not exist", path)
	case err != nil:
		return fail(statusOf(err), "error checking if path exists '%s': %w", path, err)
	case info.IsDir():
		return fail(http.StatusBadRequest, "path '%s' is a directory", path)
	case !info.Mode().IsRegular():
		return fail(http.StatusBadRequest, "path '%s' is not a regular file", path)
	}
	return nil
}

func describe(w http.ResponseWriter, path string) {
	name := filepath.Base(path)
	w.Header().Set("Vary", "Accept-Encoding")
	w.Header().Set("Content-Disposition", mime.FormatMediaType("inline", map[string]string{"filename": name}))
	if kind := mime.TypeByExtension(filepath.Ext(name)); kind != "" {
		w.Header().Set("Content-Type", kind)
	}
}

func sendPlain(w http.ResponseWriter, r *http.Request, file *os.File) error {
	info, err := file.Stat()
	if err != nil {
		return fail(statusOf(err), "error reading file '%s': %w", file.Name(), err)
	}
	if info.Size() == 0 {
		return sendUnsized(w, file)
	}
	http.ServeContent(w, r, file.Name(), info.ModTime(), file)
	return nil
}

// sendUnsized reads a file that is empty, or says so: those of /proc do.
func sendUnsized(w http.ResponseWriter, file *os.File) error {
	if err := sniff(w, file); err != nil {
		return err
	}
	w.Header().Set("Accept-Ranges", "bytes")
	_, _ = io.Copy(w, file) // past the header an error can only cut the answer short
	return nil
}

func sendGzip(w http.ResponseWriter, file *os.File) error {
	if err := sniff(w, file); err != nil {
		return err
	}
	w.Header().Set("Content-Encoding", "gzip")
	packed := gzip.NewWriter(w)
	// Past the header an error can only cut the answer short, which is what
	// tells the client: the stream then has no gzip trailer.
	if _, err := io.Copy(packed, file); err == nil {
		_ = packed.Close()
	}
	return nil
}

// sniff finds the content type by the first bytes where the name did not tell.
func sniff(w http.ResponseWriter, file *os.File) error {
	if w.Header().Get("Content-Type") != "" {
		return nil
	}
	head := make([]byte, 512)
	n, err := io.ReadFull(file, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return fail(statusOf(err), "error reading file '%s': %w", file.Name(), err)
	}
	w.Header().Set("Content-Type", http.DetectContentType(head[:n]))
	_, err = file.Seek(0, io.SeekStart)
	return err
}
