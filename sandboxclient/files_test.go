package sandboxclient_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"io"
	"net/http"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/agentsandbox/agent-sandbox/sandboxclient"
	"github.com/agentsandbox/agent-sandbox/sandboxclient/api"
)

// oddPaths are names that a query, a form or a header could mangle.
var oddPaths = []string{"/plain.txt", "/with blank", "/it's \"quoted\"", "/line\nbreak", "/日本語.txt", "/a+b&c=d%20e#f?g", "/deep/er/file"}

func TestWriteAndRead(t *testing.T) {
	t.Parallel()
	content := []byte("\x00\xff binary\r\n--boundary\r\n日本")
	for _, version := range envds {
		for _, path := range oddPaths {
			t.Run(version+path, func(t *testing.T) {
				t.Parallel()
				files := newBackend(t, version).sandbox().Files
				if _, err := files.Write(t.Context(), path, content, nil); err != nil {
					t.Fatal(err)
				}
				got, err := files.Read(t.Context(), path, nil)
				if err != nil || !bytes.Equal(got, content) {
					t.Errorf("got %q, %v", got, err)
				}
			})
		}
	}
}

func TestUploadFollowsTheVersionOfEnvd(t *testing.T) {
	t.Parallel()
	for version, want := range map[string]string{"0.5.2": "multipart/form-data", "0.5.7": "application/octet-stream", "0.6.13": "application/octet-stream", "": "multipart/form-data"} {
		b := newBackend(t, version)
		if _, err := b.sandbox().Files.Write(t.Context(), "/x", []byte("x"), nil); err != nil {
			t.Errorf("envd %q: %v", version, err)
			continue
		}
		if got := b.seen(api.PathFiles)[0].Header.Get("Content-Type"); !strings.HasPrefix(got, want) {
			t.Errorf("envd %q: %s, want %s", version, got, want)
		}
	}
}

func TestReadPart(t *testing.T) {
	t.Parallel()
	for name, handler := range map[string]func(*backend) http.Handler{
		"with ranges": func(b *backend) http.Handler { return b.data },
		"without ranges": func(b *backend) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				r.Header.Del("Range")
				b.files.get(w, r)
			})
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBackend(t, "0.6.13")
			if err := os.WriteFile(b.files.real("/x"), []byte("0123456789"), 0o600); err != nil {
				t.Fatal(err)
			}
			b.data = handler(b)
			files := b.sandbox().Files
			for want, opts := range map[string]*sandboxclient.ReadOptions{
				"0123456789": nil, "789": {Offset: 7}, "34": {Offset: 3, Length: 2}, "89": {Offset: 8, Length: 100}, "01": {Length: 2},
			} {
				got, err := files.Read(t.Context(), "/x", opts)
				if err != nil || string(got) != want {
					t.Errorf("%+v: got %q, %v, want %q", opts, got, err, want)
				}
			}
			if got, err := files.Read(t.Context(), "/x", &sandboxclient.ReadOptions{Offset: 10}); err != nil || len(got) != 0 {
				t.Errorf("behind the end: %q, %v", got, err)
			}
		})
	}
}

func TestFileErrorsNameTheKind(t *testing.T) {
	t.Parallel()
	b := newBackend(t, "0.6.13")
	files, ctx := b.sandbox().Files, t.Context()
	if _, err := files.Write(ctx, "/dir/file", []byte("x"), nil); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		call func() error
		want sandboxclient.Code
	}{
		"read missing":      {func() error { _, err := files.Read(ctx, "/no", nil); return err }, sandboxclient.CodeNotFound},
		"read directory":    {func() error { _, err := files.Read(ctx, "/dir", nil); return err }, sandboxclient.CodeIsDirectory},
		"read through file": {func() error { _, err := files.Read(ctx, "/dir/file/x", nil); return err }, sandboxclient.CodeNotDirectory},
		"write directory":   {func() error { _, err := files.Write(ctx, "/dir", nil, nil); return err }, sandboxclient.CodeIsDirectory},
		"write through":     {func() error { _, err := files.Write(ctx, "/dir/file/x", nil, nil); return err }, sandboxclient.CodeNotDirectory},
		"write nowhere":     {func() error { _, err := files.Write(ctx, "", nil, nil); return err }, sandboxclient.CodeInvalidArgument},
		"list missing":      {func() error { _, err := files.List(ctx, "/no", nil); return err }, sandboxclient.CodeNotFound},
		"list file":         {func() error { _, err := files.List(ctx, "/dir/file", nil); return err }, sandboxclient.CodeNotDirectory},
		"make existing":     {func() error { return files.MakeDir(ctx, "/dir", nil) }, sandboxclient.CodeAlreadyExists},
		"make over file":    {func() error { return files.MakeDir(ctx, "/dir/file", nil) }, sandboxclient.CodeNotDirectory},
		"move missing":      {func() error { _, err := files.Move(ctx, "/no", "/y", nil); return err }, sandboxclient.CodeNotFound},
		"remove missing":    {func() error { return files.Remove(ctx, "/no", nil) }, ""},
		"negative offset":   {func() error { _, err := files.Read(ctx, "/x", &sandboxclient.ReadOptions{Offset: -1}); return err }, sandboxclient.CodeInvalidArgument},
	} {
		if err := test.call(); sandboxclient.CodeOf(err) != test.want {
			t.Errorf("%s: got %v, want %q", name, err, test.want)
		}
	}
	if there, err := files.Exists(ctx, "/no", nil); there || err != nil {
		t.Errorf("exists: %v, %v", there, err)
	}
}

// noise is a reproducible stream of n bytes that is never held as a whole.
type noise struct{ n, at int64 }

func (r *noise) Read(p []byte) (int, error) {
	if r.at == r.n {
		return 0, io.EOF
	}
	p = p[:min(int64(len(p)), r.n-r.at)]
	for i := range p {
		p[i] = byte((r.at + int64(i)) * 131 >> 7)
	}
	r.at += int64(len(p))
	return len(p), nil
}

func TestLargeFilesPassInConstantMemory(t *testing.T) {
	t.Parallel()
	const size = 96 << 20
	for _, version := range envds {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			files := newBackend(t, version).sandbox().Files
			want := sha256.New()
			if _, err := files.WriteFrom(t.Context(), "/big", io.TeeReader(&noise{n: size}, want), nil); err != nil {
				t.Fatal(err)
			}
			r, err := files.Open(t.Context(), "/big", nil)
			if err != nil {
				t.Fatal(err)
			}
			got := sha256.New()
			if _, err := io.Copy(got, r); err != nil {
				t.Fatal(err)
			}
			if err := r.Close(); err != nil {
				t.Error(err)
			}
			if r.Size != size || !bytes.Equal(got.Sum(nil), want.Sum(nil)) {
				t.Errorf("%d bytes, other content", r.Size)
			}
			var memory runtime.MemStats
			runtime.ReadMemStats(&memory)
			if memory.HeapInuse > size {
				t.Errorf("the heap holds %d bytes", memory.HeapInuse)
			}
		})
	}
}

// brokenSource fails after a few bytes.
type brokenSource struct{ sent bool }

var errSource = errors.New("disk on fire")

func (s *brokenSource) Read(p []byte) (int, error) {
	if s.sent {
		return 0, errSource
	}
	s.sent = true
	return copy(p, "some bytes"), nil
}

func TestFailingSourceIsTheCallersError(t *testing.T) {
	t.Parallel()
	for _, version := range envds {
		_, err := newBackend(t, version).sandbox().Files.WriteFrom(t.Context(), "/x", &brokenSource{}, nil)
		if !errors.Is(err, errSource) {
			t.Errorf("envd %s: got %v", version, err)
		}
	}
}

func TestCutDownloadIsAnError(t *testing.T) {
	t.Parallel()
	b := newBackend(t, "0.6.13")
	b.once(api.PathFiles, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "100")
		_, _ = w.Write([]byte("only this"))
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	})
	_, err := b.sandbox().Files.Read(t.Context(), "/x", nil)
	if !sandboxclient.IsOutcomeUnknown(err) || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("got %v", err)
	}
}

func TestSilentTransferEnds(t *testing.T) {
	t.Parallel()
	b := newBackend(t, "0.6.13")
	b.once(api.PathFiles, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", "100")
		_, _ = w.Write([]byte("only this"))
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	})
	s, err := b.client(&sandboxclient.Options{IdleTimeout: 50 * time.Millisecond}).Create(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Files.Read(t.Context(), "/x", nil); !sandboxclient.IsTimeout(err) {
		t.Errorf("got %v, want a timeout", err)
	}
}

func TestFS(t *testing.T) {
	t.Parallel()
	files, ctx := newBackend(t, "0.6.13").sandbox().Files, t.Context()
	for _, path := range []string{"/tree/a.txt", "/tree/sub/b.txt", "/tree/sub/deep/c"} {
		if _, err := files.Write(ctx, path, []byte("content of "+path), nil); err != nil {
			t.Fatal(err)
		}
	}
	if err := fstest.TestFS(files.FS(ctx, "/tree", nil), "a.txt", "sub/b.txt", "sub/deep/c"); err != nil {
		t.Error(err)
	}
}

func TestListWithDepth(t *testing.T) {
	t.Parallel()
	files, ctx := newBackend(t, "0.5.2").sandbox().Files, t.Context()
	if _, err := files.Write(ctx, "/tree/sub/b", nil, nil); err != nil {
		t.Fatal(err)
	}
	for depth, want := range map[int][]string{0: {"/tree/sub"}, 1: {"/tree/sub"}, 2: {"/tree/sub", "/tree/sub/b"}} {
		entries, err := files.List(ctx, "/tree", &sandboxclient.ListFilesOptions{Depth: depth})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, e := range entries {
			got = append(got, e.Path)
		}
		if !slices.Equal(got, want) {
			t.Errorf("depth %d: %q, want %q", depth, got, want)
		}
	}
}

func TestMetadataNeedsANewEnvd(t *testing.T) {
	t.Parallel()
	opts := &sandboxclient.WriteOptions{Metadata: map[string]string{"author": "me"}}
	if _, err := newBackend(t, "0.5.2").sandbox().Files.Write(t.Context(), "/x", nil, opts); sandboxclient.CodeOf(err) != sandboxclient.CodeUnsupported {
		t.Errorf("old envd: %v", err)
	}
	b := newBackend(t, "0.6.13")
	if _, err := b.sandbox().Files.Write(t.Context(), "/x", nil, opts); err != nil {
		t.Fatal(err)
	}
	if got := b.seen(api.PathFiles)[0].Header.Get("X-Metadata-author"); got != "me" {
		t.Errorf("header %q", got)
	}
}
