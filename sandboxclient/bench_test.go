package sandboxclient_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"github.com/agentsandbox/agent-sandbox/sandboxclient"
	"github.com/agentsandbox/agent-sandbox/sandboxclient/api"
	"github.com/agentsandbox/agent-sandbox/sandboxclient/envd/process"
)

// stub is a backend that answers at once from memory, over TCP, so that a
// benchmark counts the client alone.
type stub struct {
	*httptest.Server
	version string
	frames  int // of output in each Start
	content int // bytes of each file
	codecs  map[string]*stubFrames
}

// stubFrames are the frames of a Start in one codec.
type stubFrames struct{ start, data, end []byte }

const frameBytes = 32 << 10

func newStub(b *testing.B, version string, frames, content int) *stub {
	b.Helper()
	s := &stub{version: version, frames: frames, content: content, codecs: map[string]*stubFrames{
		"application/connect+proto": newStubFrames(b, proto.Marshal), "application/connect+json": newStubFrames(b, protojson.Marshal),
	}}
	s.Server = httptest.NewServer(s)
	b.Cleanup(s.Close)
	return s
}

func newStubFrames(b *testing.B, encode func(proto.Message) ([]byte, error)) *stubFrames {
	b.Helper()
	frame := func(e *process.ProcessEvent) []byte {
		message, err := encode(&process.StartResponse{Event: e})
		if err != nil {
			b.Fatal(err)
		}
		return append(binary.BigEndian.AppendUint32([]byte{0}, uint32(len(message))), message...)
	}
	return &stubFrames{
		start: frame(&process.ProcessEvent{Event: &process.ProcessEvent_Start{Start: &process.ProcessEvent_StartEvent{Pid: 7}}}),
		data: frame(&process.ProcessEvent{Event: &process.ProcessEvent_Data{Data: &process.ProcessEvent_DataEvent{
			Output: &process.ProcessEvent_DataEvent_Stdout{Stdout: bytes.Repeat([]byte("0123456789abcde\n"), frameBytes/16)},
		}}}),
		end: append(frame(&process.ProcessEvent{Event: &process.ProcessEvent_End{End: &process.ProcessEvent_EndEvent{Exited: true}}}), "\x02\x00\x00\x00\x02{}"...),
	}
}

// codec is the content type that a client of this version sends.
func (s *stub) codec() string {
	if s.version >= "0.6" {
		return "application/connect+proto"
	}
	return "application/connect+json"
}

func (s *stub) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case api.PathSandboxes:
		writeJSON(w, http.StatusCreated, api.Sandbox{SandboxID: testID, TemplateID: "base", EnvdVersion: s.version})
	case startPath:
		codec := r.Header.Get("Content-Type")
		frames := s.codecs[codec]
		w.Header().Set("Content-Type", codec)
		_, _ = w.Write(frames.start)
		for range s.frames {
			_, _ = w.Write(frames.data)
		}
		_, _ = w.Write(frames.end)
	case api.PathFiles:
		s.serveFile(w, r)
	default:
		http.NotFound(w, r)
	}
}

func (s *stub) serveFile(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodPost {
		_, _ = io.Copy(io.Discard, r.Body)
		_ = json.NewEncoder(w).Encode([]api.WrittenFile{{Name: "x", Path: "/x", Type: "file"}})
		return
	}
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Header().Set("Content-Length", strconv.Itoa(s.content))
	_, _ = io.CopyN(w, zeros{}, int64(s.content))
}

func (s *stub) sandbox(b *testing.B) *sandboxclient.Sandbox {
	b.Helper()
	c, err := sandboxclient.New(testKey, &sandboxclient.Options{APIURL: s.URL, SandboxURL: s.URL})
	if err != nil {
		b.Fatal(err)
	}
	sandbox, err := c.Create(b.Context(), nil)
	if err != nil {
		b.Fatal(err)
	}
	return sandbox
}

// drain is the baseline: a plain client that throws the same answer away.
func (s *stub) drain(b *testing.B, method, path string) {
	b.Helper()
	req, err := http.NewRequestWithContext(b.Context(), method, s.URL+path, nil)
	if err != nil {
		b.Fatal(err)
	}
	req.Header.Set("Accept-Encoding", "identity")
	req.Header.Set("Content-Type", s.codec())
	resp, err := s.Client().Do(req)
	if err != nil {
		b.Fatal(err)
	}
	_, _ = io.Copy(io.Discard, resp.Body)
	_ = resp.Body.Close()
}

const streamFrames = 256 << 20 / frameBytes

// versus runs the baseline and the client in turn, so that both see the same
// load, and reports the client's throughput as a part of the baseline's.
func versus(b *testing.B, baseline, client func()) {
	b.Helper()
	b.ReportAllocs()
	var plain, ours time.Duration
	for b.Loop() {
		start := time.Now()
		baseline()
		middle := time.Now()
		client()
		plain, ours = plain+middle.Sub(start), ours+time.Since(middle)
	}
	b.ReportMetric(float64(plain)/float64(ours), "of-baseline")
	b.ReportMetric(float64(ours)/float64(b.N), "client-ns/op")
}

func BenchmarkStream256MiB(b *testing.B) {
	for _, version := range envds {
		b.Run(version, func(b *testing.B) {
			s := newStub(b, version, streamFrames, 0)
			sandbox := s.sandbox(b)
			versus(b, func() { s.drain(b, http.MethodPost, startPath) }, func() {
				got, err := sandbox.Commands.Run(b.Context(), "x", nil)
				if err != nil || got.Stdout.Total != 256<<20 {
					b.Fatal(got, err)
				}
			})
		})
	}
}

func BenchmarkRunTrue(b *testing.B) {
	s := newStub(b, "0.6.13", 0, 0)
	sandbox := s.sandbox(b)
	versus(b, func() { s.drain(b, http.MethodPost, startPath) }, func() {
		if _, err := sandbox.Commands.Run(b.Context(), "true", nil); err != nil {
			b.Fatal(err)
		}
	})
}

func BenchmarkFile1GiB(b *testing.B) {
	const size = 1 << 30
	if _, err := exec.LookPath("curl"); err != nil {
		b.Skip("the baseline is curl, which is not installed")
	}
	s := newStub(b, "0.6.13", 0, size)
	sandbox := s.sandbox(b)
	b.Run("Open", func(b *testing.B) {
		versus(b, func() { s.curl(b, "-o", os.DevNull) }, func() {
			r, err := sandbox.Files.Open(b.Context(), "/x", nil)
			if err != nil {
				b.Fatal(err)
			}
			if n, err := io.Copy(io.Discard, r); n != size || err != nil {
				b.Fatal(n, err)
			}
			_ = r.Close()
		})
	})
	b.Run("WriteFrom", func(b *testing.B) {
		file := filepath.Join(b.TempDir(), "zeros")
		if err := os.WriteFile(file, nil, 0o600); err != nil {
			b.Fatal(err)
		}
		if err := os.Truncate(file, size); err != nil {
			b.Fatal(err)
		}
		versus(b, func() { s.curl(b, "-X", "POST", "-H", "Content-Type: application/octet-stream", "-T", file) }, func() {
			f, err := os.Open(file)
			if err != nil {
				b.Fatal(err)
			}
			defer func() { _ = f.Close() }()
			if _, err := sandbox.Files.WriteFrom(b.Context(), "/x", f, nil); err != nil {
				b.Fatal(err)
			}
		})
	})
}

// curl is the baseline of a transfer.
func (s *stub) curl(b *testing.B, args ...string) {
	b.Helper()
	args = append(args, "-sSf", s.URL+api.PathFiles)
	if out, err := exec.CommandContext(b.Context(), "curl", args...).CombinedOutput(); err != nil {
		b.Fatalf("curl: %v: %s", err, out)
	}
}

// zeros is an endless source that costs nothing.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) { return len(p), nil }
