package sandboxclient_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
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
	start   []byte
	data    []byte // one frame of 32 KiB of output
	end     []byte
}

const frameBytes = 32 << 10

func newStub(b *testing.B, version string, frames int) *stub {
	b.Helper()
	s := &stub{version: version, frames: frames}
	s.start = s.frame(&process.ProcessEvent{Event: &process.ProcessEvent_Start{Start: &process.ProcessEvent_StartEvent{Pid: 7}}})
	s.data = s.frame(&process.ProcessEvent{Event: &process.ProcessEvent_Data{Data: &process.ProcessEvent_DataEvent{
		Output: &process.ProcessEvent_DataEvent_Stdout{Stdout: bytes.Repeat([]byte("0123456789abcde\n"), frameBytes/16)},
	}}})
	s.end = append(s.frame(&process.ProcessEvent{Event: &process.ProcessEvent_End{End: &process.ProcessEvent_EndEvent{Exited: true}}}), "\x02\x00\x00\x00\x02{}"...)
	s.Server = httptest.NewServer(s)
	b.Cleanup(s.Close)
	return s
}

func (s *stub) binary() bool { return s.version >= "0.6" }

func (s *stub) frame(e *process.ProcessEvent) []byte {
	encode := protojson.Marshal
	if s.binary() {
		encode = proto.Marshal
	}
	message, err := encode(&process.StartResponse{Event: e})
	if err != nil {
		panic(err)
	}
	return append(binary.BigEndian.AppendUint32([]byte{0}, uint32(len(message))), message...)
}

func (s *stub) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case api.PathSandboxes:
		writeJSON(w, http.StatusCreated, api.Sandbox{SandboxID: testID, TemplateID: "base", EnvdVersion: s.version})
	case startPath:
		w.Header().Set("Content-Type", "application/connect+"+map[bool]string{true: "proto", false: "json"}[s.binary()])
		_, _ = w.Write(s.start)
		for range s.frames {
			_, _ = w.Write(s.data)
		}
		_, _ = w.Write(s.end)
	case api.PathFiles:
		s.serveFile(w, r)
	default:
		http.NotFound(w, r)
	}
}

func (s *stub) serveFile(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodPost {
		_, _ = io.Copy(io.Discard, r.Body)
		_ = json.NewEncoder(w).Encode([]api.WrittenFile{{Path: "/x"}})
		return
	}
	w.Header().Set("Content-Type", "application/octet-stream")
	for range s.frames {
		_, _ = w.Write(s.data[:frameBytes])
	}
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
			s := newStub(b, version, streamFrames)
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
	s := newStub(b, "0.6.13", 1)
	sandbox := s.sandbox(b)
	versus(b, func() { s.drain(b, http.MethodPost, startPath) }, func() {
		if _, err := sandbox.Commands.Run(b.Context(), "true", nil); err != nil {
			b.Fatal(err)
		}
	})
}

func BenchmarkFile1GiB(b *testing.B) {
	const size = 1 << 30
	s := newStub(b, "0.6.13", size/frameBytes)
	sandbox := s.sandbox(b)
	b.Run("Open", func(b *testing.B) {
		versus(b, func() { s.drain(b, http.MethodGet, api.PathFiles) }, func() {
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
		versus(b, func() { s.upload(b, io.LimitReader(zeros{}, size)) }, func() {
			if _, err := sandbox.Files.WriteFrom(b.Context(), "/x", io.LimitReader(zeros{}, size), nil); err != nil {
				b.Fatal(err)
			}
		})
	})
}

// upload is the baseline of an upload.
func (s *stub) upload(b *testing.B, content io.Reader) {
	b.Helper()
	resp, err := s.Client().Post(s.URL+api.PathFiles, "application/octet-stream", content) //nolint:noctx // a baseline
	if err != nil {
		b.Fatal(err)
	}
	_ = resp.Body.Close()
}

// zeros is an endless source that costs nothing.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) { return len(p), nil }

func BenchmarkFileRoundTrip10MB(b *testing.B) {
	s := newStub(b, "0.6.13", 10_000_000/frameBytes)
	sandbox := s.sandbox(b)
	content := make([]byte, 10_000_000)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := sandbox.Files.Write(b.Context(), "/x", content, nil); err != nil {
			b.Fatal(err)
		}
		if _, err := sandbox.Files.Read(b.Context(), "/x", nil); err != nil {
			b.Fatal(err)
		}
	}
}
