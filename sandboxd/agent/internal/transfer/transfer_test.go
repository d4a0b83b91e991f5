package transfer_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/agentsandbox/agent-sandbox/sandboxd/agent/internal/account"
	"github.com/agentsandbox/agent-sandbox/sandboxd/agent/internal/settings"
	"github.com/agentsandbox/agent-sandbox/sandboxd/agent/internal/transfer"
)

// bench is a handler with a home for its user.
type bench struct {
	t    *testing.T
	h    *transfer.Handler
	home string
}

func newBench(t *testing.T, modern bool, v settings.Values) *bench {
	t.Helper()
	home := t.TempDir()
	v.User = "user"
	u := account.User{Name: "user", UID: os.Geteuid(), GID: os.Getegid(), Home: home}
	return &bench{t: t, home: home, h: transfer.New(&transfer.Options{
		Settings: settings.New(v), Users: &account.Table{Known: []account.User{u}}, Modern: modern,
	})}
}

func (b *bench) do(method, target string, body io.Reader, headers ...string) *httptest.ResponseRecorder {
	b.t.Helper()
	r := httptest.NewRequest(method, target, body)
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	if r.URL.Path == "/files/compose" {
		b.h.Compose(w, r)
	} else {
		b.h.ServeHTTP(w, r)
	}
	return w
}

func (b *bench) write(name, content string) {
	b.t.Helper()
	if err := os.MkdirAll(filepath.Dir(filepath.Join(b.home, name)), 0o755); err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(b.home, name), []byte(content), 0o644); err != nil {
		b.t.Fatal(err)
	}
}

// holds checks the content of a file.
func (b *bench) holds(name, want string) {
	b.t.Helper()
	got, err := os.ReadFile(filepath.Join(b.home, name))
	if err != nil || string(got) != want {
		b.t.Errorf("%s holds %.100q, %v; want %.100q", name, got, err, want)
	}
}

const raw = "application/octet-stream"

func TestUploadAnswersWithTheEntry(t *testing.T) {
	t.Parallel()
	b := newBench(t, true, settings.Values{})
	w := b.do("POST", "/files?path=new/dir/f.bin", strings.NewReader("\x00\xff"), "Content-Type", raw)
	want := fmt.Sprintf(`[{"name":"f.bin","path":"%s/new/dir/f.bin","type":"file"}]`, b.home)
	if w.Code != 200 || w.Body.String() != want || w.Header().Get("Content-Type") != "text/plain; charset=utf-8" {
		t.Errorf("%d %s %s, want %s", w.Code, w.Header(), w.Body, want)
	}
	b.holds("new/dir/f.bin", "\x00\xff")
	b.do("POST", "/files?path=new/dir/f.bin", strings.NewReader("s"), "Content-Type", raw)
	b.holds("new/dir/f.bin", "s") // truncated
}

func form(t *testing.T, parts ...string) (body *bytes.Buffer, contentType string) {
	t.Helper()
	body = &bytes.Buffer{}
	m := multipart.NewWriter(body)
	for i := 0; i+2 < len(parts); i += 3 {
		part, err := m.CreateFormFile(parts[i], parts[i+1])
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.WriteString(part, parts[i+2])
	}
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	return body, m.FormDataContentType()
}

func TestMultipart(t *testing.T) {
	t.Parallel()
	b := newBench(t, false, settings.Values{})
	large := strings.Repeat("0123456789abcdef", 1<<16)
	body, kind := form(t, "file", "a b/\"q\".txt", "one", "other", "ignored", "x", "file", "large", large)
	w := b.do("POST", "/files", body, "Content-Type", kind)
	if w.Code != 200 || strings.Count(w.Body.String(), `"type":"file"`) != 2 {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	b.holds("a b/\"q\".txt", "one")
	b.holds("large", large)
	if _, err := os.Stat(filepath.Join(b.home, "ignored")); err == nil {
		t.Error("a part of another name was stored")
	}
}

func TestMultipartCompressed(t *testing.T) {
	t.Parallel()
	b := newBench(t, true, settings.Values{})
	body, kind := form(t, "file", "f", "packed")
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	_, _ = z.Write(body.Bytes())
	_ = z.Close()
	if w := b.do("POST", "/files", &packed, "Content-Type", kind, "Content-Encoding", "gzip"); w.Code != 200 {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	b.holds("f", "packed")
}

func TestOldProfileKnowsMultipartOnly(t *testing.T) {
	t.Parallel()
	b := newBench(t, false, settings.Values{})
	w := b.do("POST", "/files?path=f", strings.NewReader("x"), "Content-Type", raw)
	if w.Code != 400 || !strings.Contains(w.Body.String(), "unsupported content type: application/octet-stream, expected multipart/form-data\"") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	body, kind := form(t, "file", "f", "x")
	if w := b.do("POST", "/files", body, "Content-Type", kind, "X-Metadata-A", "1"); w.Code != 400 {
		t.Errorf("metadata: %d %s", w.Code, w.Body)
	}
	if _, err := os.Stat(filepath.Join(b.home, "f")); err == nil {
		t.Error("a refused upload was stored")
	}
}

func TestUploadRefusals(t *testing.T) {
	t.Parallel()
	b := newBench(t, true, settings.Values{})
	b.write("dir/f", "x")
	for _, tt := range []struct {
		target  string
		headers []string
		code    int
		text    string
	}{
		{"/files", []string{"Content-Type", raw}, 400, "path query parameter is required for raw body upload"},
		{"/files?path=dir", []string{"Content-Type", raw}, 400, "path is a directory: "},
		{"/files?path=dir/f/x", []string{"Content-Type", raw}, 500, "error ensuring directories: path is a file: "},
		{"/files?path=f&username=root", []string{"Content-Type", raw}, 401, "error looking up user 'root': user: unknown user root"},
		{"/files?path=~bob/f", []string{"Content-Type", raw}, 400, "cannot expand user-specific home dir"},
		{"/files?path=f", nil, 400, "unsupported content type: "},
		{"/files?path=f", []string{"Content-Type", "text/plain"}, 400, "expected multipart/form-data or application/octet-stream"},
		{"/files?path=f", []string{"Content-Type", raw, "Content-Encoding", "br"}, 400, "unsupported Content-Encoding: br"},
		{"/files?path=f", []string{"Content-Type", raw, "Content-Encoding", "gzip"}, 400, "error decompressing request body"},
		{"/files?path=f", []string{"Content-Type", "multipart/form-data"}, 500, "no multipart boundary param in Content-Type"},
	} {
		w := b.do("POST", tt.target, strings.NewReader("x"), tt.headers...)
		if w.Code != tt.code || !strings.Contains(w.Body.String(), tt.text) || !strings.HasPrefix(w.Body.String(), fmt.Sprintf(`{"code":%d,`, tt.code)) {
			t.Errorf("POST %s %q: %d %s; want %d with %q", tt.target, tt.headers, w.Code, w.Body, tt.code, tt.text)
		}
	}
	b.holds("dir/f", "x")
}

// failing ends with an error after some bytes, as a full disk does.
type failing struct {
	io.Reader
	err error
}

func (f failing) Read(p []byte) (int, error) {
	n, err := f.Reader.Read(p)
	if errors.Is(err, io.EOF) {
		err = f.err
	}
	return n, err
}

func TestFullDiskHasItsOwnStatus(t *testing.T) {
	t.Parallel()
	b := newBench(t, true, settings.Values{})
	w := b.do("POST", "/files?path=f", failing{strings.NewReader("x"), syscall.ENOSPC}, "Content-Type", raw)
	if w.Code != http.StatusInsufficientStorage {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	w = b.do("POST", "/files?path=f", failing{strings.NewReader("x"), io.ErrUnexpectedEOF}, "Content-Type", raw)
	if w.Code != 500 || !strings.Contains(w.Body.String(), "error writing file: unexpected EOF") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

func TestUploadToWhatNobodyReads(t *testing.T) {
	t.Parallel()
	b := newBench(t, true, settings.Values{})
	if err := mkfifo(filepath.Join(b.home, "pipe")); err != nil {
		t.Skipf("cannot make a pipe: %v", err)
	}
	w := b.do("POST", "/files?path=pipe", strings.NewReader("x"), "Content-Type", "application/octet-stream")
	if w.Code != 400 || !strings.Contains(w.Body.String(), "without a reader") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

func TestDownload(t *testing.T) {
	t.Parallel()
	b := newBench(t, true, settings.Values{})
	b.write("a b/ü.txt", "0123456789")
	w := b.do("GET", "/files?path=a%20b/%C3%BC.txt", nil)
	if w.Code != 200 || w.Body.String() != "0123456789" || w.Header().Get("Content-Length") != "10" ||
		w.Header().Get("Content-Type") != "text/plain; charset=utf-8" || w.Header().Get("Last-Modified") == "" {
		t.Errorf("%d %s %s", w.Code, w.Header(), w.Body)
	}
	w = b.do("GET", "/files?path=a%20b/%C3%BC.txt", nil, "Range", "bytes=2-4", "Accept-Encoding", "gzip")
	if w.Code != 206 || w.Body.String() != "234" || w.Header().Get("Content-Range") != "bytes 2-4/10" || w.Header().Get("Content-Encoding") != "" {
		t.Errorf("range: %d %s %s", w.Code, w.Header(), w.Body)
	}
}

func TestDownloadOfFilesThatClaimToBeEmpty(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat("/proc/self/status"); err != nil {
		t.Skip("reads files of /proc, which this system does not have")
	}
	b := newBench(t, true, settings.Values{})
	if w := b.do("GET", "/files?path=/proc/self/status", nil); w.Code != 200 || !strings.HasPrefix(w.Body.String(), "Name:") {
		t.Errorf("%d %.50q", w.Code, w.Body)
	}
	b.write("empty", "")
	if w := b.do("GET", "/files?path=empty", nil); w.Code != 200 || w.Body.Len() != 0 || w.Header().Get("Content-Type") != "text/plain; charset=utf-8" {
		t.Errorf("%d %s %q", w.Code, w.Header(), w.Body)
	}
}

func TestDownloadRefusals(t *testing.T) {
	t.Parallel()
	b := newBench(t, true, settings.Values{})
	b.write("f", "x")
	pipe := filepath.Join(b.home, "pipe")
	if err := mkfifo(pipe); err != nil {
		t.Skipf("cannot make a pipe: %v", err)
	}
	for target, want := range map[string]int{
		"/files":                        400, // the home
		"/files?path=no":                404,
		"/files?path=f/x":               500,
		"/files?path=pipe":              400, // a read would never end
		"/files?path=/dev/zero":         400,
		"/files?path=f&username=nobody": 401,
	} {
		if w := b.do("GET", target, nil); w.Code != want || w.Header().Get("Content-Type") != "application/json; charset=utf-8" {
			t.Errorf("GET %s: %d %s", target, w.Code, w.Body)
		}
	}
	for _, method := range []string{"HEAD", "PUT", "DELETE"} {
		if w := b.do(method, "/files?path=f", nil); w.Code != 405 || w.Header().Get("Allow") != "GET, POST" || w.Body.Len() != 0 {
			t.Errorf("%s: %d %s %s", method, w.Code, w.Header(), w.Body)
		}
	}
}

func TestAcceptEncoding(t *testing.T) {
	t.Parallel()
	b := newBench(t, true, settings.Values{})
	content := strings.Repeat("compressible ", 1000)
	b.write("f.txt", content)
	for accept, want := range map[string]string{
		"":                      "",
		"identity":              "",
		"gzip":                  "gzip",
		"br, gzip;q=0.5":        "gzip",
		"gzip;q=0":              "",
		"gzip;q=0.1, identity":  "",
		"*":                     "gzip",
		"br":                    "",
		"GZIP":                  "gzip",
		"identity;q=0":          "406",
		"*;q=0":                 "406",
		"identity;q=0, gzip":    "gzip",
		"identity;q=0, br;q=1 ": "406",
	} {
		w := b.do("GET", "/files?path=f.txt", nil, "Accept-Encoding", accept)
		if want == "406" {
			if w.Code != 406 || !strings.Contains(w.Body.String(), "no acceptable encoding found, supported: [gzip]") {
				t.Errorf("%q: %d %s", accept, w.Code, w.Body)
			}
			continue
		}
		if w.Code != 200 || w.Header().Get("Content-Encoding") != want {
			t.Errorf("%q: %d, coded %q, want %q", accept, w.Code, w.Header().Get("Content-Encoding"), want)
		}
		if want == "gzip" {
			plain, err := gzip.NewReader(w.Body)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := io.ReadAll(plain); err != nil || string(got) != content {
				t.Errorf("%q: %d bytes, %v", accept, len(got), err)
			}
		}
	}
}
