package sandboxclient_test

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/agentsandbox/agent-sandbox/sandboxclient"
	"github.com/agentsandbox/agent-sandbox/sandboxclient/api"
)

// capture is one recorded exchange with a real envd or interpreter. Decoded
// says what the response means, as plain JSON.
type capture struct {
	Request struct {
		Method, Path string
		Headers      map[string]string
	}
	Response struct {
		Status     int
		Headers    map[string]string
		BodyBase64 []byte `json:"body_base64"`
	}
	Decoded json.RawMessage
}

func readCapture(t *testing.T, name string) *capture {
	t.Helper()
	content, err := os.ReadFile(filepath.Join("testdata", "captures", name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	c := new(capture)
	if err := json.Unmarshal(content, c); err != nil {
		t.Fatal(err)
	}
	return c
}

// replay gives a sandbox that answers every data-plane request but /health
// with the capture, and the capture. The codec is that of the capture.
func replay(t *testing.T, name string) (*sandboxclient.Sandbox, *capture) {
	t.Helper()
	c := readCapture(t, name)
	version := "0.5.99" // JSON
	if strings.Contains(c.Response.Headers["Content-Type"], "proto") {
		version = "0.6.13"
	}
	b := newBackend(t, version)
	answer := func(w http.ResponseWriter, _ *http.Request) {
		for key, value := range c.Response.Headers {
			w.Header().Set(key, value)
		}
		w.WriteHeader(c.Response.Status)
		_, _ = w.Write(c.Response.BodyBase64)
	}
	b.code = answer
	mux := http.NewServeMux()
	mux.HandleFunc("GET /health", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	mux.HandleFunc("/", answer)
	b.data = mux
	return b.sandbox(), c
}

// processCapture is what the frames of a Start or Connect say.
type processCapture struct {
	stdout, stderr []byte
	end            *struct {
		ExitCode int
		Exited   bool
	}
}

func (c *capture) process(t *testing.T) *processCapture {
	t.Helper()
	var frames []struct {
		JSON struct {
			Event struct {
				Data struct{ Stdout, Stderr, Pty []byte }
				End  *struct {
					ExitCode int
					Exited   bool
				}
			}
		}
	}
	if err := json.Unmarshal(c.Decoded, &frames); err != nil {
		t.Fatal(err)
	}
	p := &processCapture{}
	for _, f := range frames {
		p.stdout = append(append(p.stdout, f.JSON.Event.Data.Stdout...), f.JSON.Event.Data.Pty...)
		p.stderr = append(p.stderr, f.JSON.Event.Data.Stderr...)
		if f.JSON.Event.End != nil {
			p.end = f.JSON.Event.End
		}
	}
	return p
}

func TestCapturedCommands(t *testing.T) {
	t.Parallel()
	for name, exit := range map[string]int{
		"process-start-exit0": 0, "process-start-exit3": 3, "process-start-stdout": 0, "process-start-stderr": 0,
		"process-start-both": 0, "process-start-binary": 0, "process-start-keepalive": 0, "process-start-proto": 3,
		"process-start-sigkill": 137, "process-start-sigterm": 143, "process-start-missing-program": 127,
		"process-start-not-executable": 126, "process-start-utf8-split-time": 0, "process-start-env": 0,
		"process-start-background-holds": 0,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sandbox, c := replay(t, name)
			got, err := sandbox.Commands.Run(t.Context(), "true", nil)
			if err != nil {
				t.Fatal(err)
			}
			want := c.process(t)
			if string(got.Stdout.Bytes()) != string(want.stdout) || string(got.Stderr.Bytes()) != string(want.stderr) {
				t.Errorf("got %q and %q, want %q and %q", got.Stdout.Bytes(), got.Stderr.Bytes(), want.stdout, want.stderr)
			}
			if got.ExitCode != exit {
				t.Errorf("exit code %d, want %d", got.ExitCode, exit)
			}
		})
	}
}

func TestCapturedCommandFailures(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]sandboxclient.Code{
		"process-start-cwd-missing":        sandboxclient.CodeInvalidArgument,
		"process-start-user-unknown":       sandboxclient.CodeInvalidArgument,
		"process-start-timeout":            sandboxclient.CodeTimeout,
		"secured-rpc-stream-token-missing": sandboxclient.CodeUnauthenticated,
		"secured-rpc-stream-token-wrong":   sandboxclient.CodeUnauthenticated,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sandbox, _ := replay(t, name)
			if _, err := sandbox.Commands.Run(t.Context(), "true", nil); sandboxclient.CodeOf(err) != want {
				t.Errorf("got %v, want %s", err, want)
			}
		})
	}
}

// The server's own deadline, which is only a guard, is a timeout too, and what
// was printed before it is kept.
func TestCapturedServerDeadline(t *testing.T) {
	t.Parallel()
	sandbox, c := replay(t, "process-start-timeout-output")
	got, err := sandbox.Commands.Run(t.Context(), "true", &sandboxclient.RunOptions{Timeout: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	if !got.TimedOut || got.ExitCode != 124 || string(got.Stdout.Bytes()) != string(c.process(t).stdout) {
		t.Errorf("got %+v", got)
	}
}

func TestCapturedStat(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]struct {
		kind   sandboxclient.EntryType
		isLink bool
	}{
		"filesystem-stat-file":        {sandboxclient.EntryFile, false},
		"filesystem-stat-proto-file":  {sandboxclient.EntryFile, false},
		"filesystem-stat-empty-file":  {sandboxclient.EntryFile, false},
		"filesystem-stat-dir":         {sandboxclient.EntryDirectory, false},
		"filesystem-stat-symlink":     {sandboxclient.EntryFile, true},
		"filesystem-stat-symlink-dir": {sandboxclient.EntryDirectory, true},
		"filesystem-stat-dangling":    {sandboxclient.EntryOther, true},
		"filesystem-stat-device":      {sandboxclient.EntryOther, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sandbox, c := replay(t, name)
			got, err := sandbox.Files.Stat(t.Context(), "/x", nil)
			if err != nil {
				t.Fatal(err)
			}
			var decoded struct{ Entry capturedEntry }
			if err := json.Unmarshal(c.Decoded, &decoded); err != nil {
				t.Fatal(err)
			}
			decoded.Entry.compare(t, got)
			if got.Type != want.kind || got.IsSymlink() != want.isLink {
				t.Errorf("type %q, link %v, want %+v", got.Type, got.IsSymlink(), want)
			}
		})
	}
}

type capturedEntry struct {
	Name, Path, Permissions, Owner, Group, SymlinkTarget string
	Size                                                 int64 `json:",string"`
	Mode                                                 uint32
	ModifiedTime                                         time.Time
}

func (e *capturedEntry) compare(t *testing.T, got *sandboxclient.Entry) {
	t.Helper()
	same := got.Name == e.Name && got.Path == e.Path && got.Permissions == e.Permissions && got.Owner == e.Owner &&
		got.Group == e.Group && got.SymlinkTarget == e.SymlinkTarget && got.Size == e.Size &&
		uint32(got.Mode) == e.Mode && got.ModTime.Equal(e.ModifiedTime)
	if !same {
		t.Errorf("got %+v, want %+v", got, e)
	}
}

func TestCapturedLists(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"filesystem-listdir-depth1", "filesystem-listdir-depth2", "filesystem-listdir-names", "filesystem-listdir-empty"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sandbox, c := replay(t, name)
			got, err := sandbox.Files.List(t.Context(), "/x", nil)
			if err != nil {
				t.Fatal(err)
			}
			var decoded struct{ Entries []capturedEntry }
			if err := json.Unmarshal(c.Decoded, &decoded); err != nil {
				t.Fatal(err)
			}
			if len(got) != len(decoded.Entries) {
				t.Fatalf("%d entries, want %d", len(got), len(decoded.Entries))
			}
			for i := range got {
				decoded.Entries[i].compare(t, got[i])
			}
		})
	}
}

func TestCapturedFileFailures(t *testing.T) {
	t.Parallel()
	stat := func(f *sandboxclient.Files, t *testing.T) error {
		_, err := f.Stat(t.Context(), "/x", nil)
		return err
	}
	mkdir := func(f *sandboxclient.Files, t *testing.T) error { return f.MakeDir(t.Context(), "/x", nil) }
	read := func(f *sandboxclient.Files, t *testing.T) error {
		_, err := f.Read(t.Context(), "/x", nil)
		return err
	}
	write := func(f *sandboxclient.Files, t *testing.T) error {
		_, err := f.Write(t.Context(), "/x", []byte("x"), nil)
		return err
	}
	move := func(f *sandboxclient.Files, t *testing.T) error {
		_, err := f.Move(t.Context(), "/x", "/y", nil)
		return err
	}
	for name, test := range map[string]struct {
		call func(*sandboxclient.Files, *testing.T) error
		want sandboxclient.Code
	}{
		"filesystem-stat-missing":             {stat, sandboxclient.CodeNotFound},
		"filesystem-stat-proto-missing":       {stat, sandboxclient.CodeNotFound},
		"filesystem-stat-tilde-other":         {stat, sandboxclient.CodeInvalidArgument},
		"filesystem-stat-user-unknown":        {stat, sandboxclient.CodeInvalidArgument},
		"filesystem-stat-through-file":        {stat, sandboxclient.CodeInternal},
		"filesystem-makedir-existing":         {mkdir, sandboxclient.CodeAlreadyExists},
		"filesystem-move-missing":             {move, sandboxclient.CodeNotFound},
		"filesystem-remove-missing":           {func(f *sandboxclient.Files, t *testing.T) error { return f.Remove(t.Context(), "/x", nil) }, ""},
		"files-get-missing":                   {read, sandboxclient.CodeNotFound},
		"files-get-dir":                       {read, sandboxclient.CodeInvalidArgument},
		"secured-files-get-token-missing":     {read, sandboxclient.CodeUnauthenticated},
		"files-post-multipart-wrong-name":     {write, sandboxclient.CodeOutcomeUnknown},
		"files-post-multipart":                {write, ""},
		"files-post-multipart-over-dir":       {write, sandboxclient.CodeInvalidArgument},
		"files-post-content-type-unsupported": {write, sandboxclient.CodeInvalidArgument},
		"secured-files-post-token-wrong":      {write, sandboxclient.CodeUnauthenticated},
		"protocol-unknown-method":             {stat, sandboxclient.CodeUnsupported},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sandbox, _ := replay(t, name)
			if err := test.call(sandbox.Files, t); sandboxclient.CodeOf(err) != test.want {
				t.Errorf("got %v, want code %q", err, test.want)
			}
		})
	}
}

func TestCapturedReads(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"files-get-text", "files-get-utf8", "files-get-binary", "files-get-empty", "files-get-range"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sandbox, c := replay(t, name)
			opts := &sandboxclient.ReadOptions{}
			if c.Response.Status == http.StatusPartialContent {
				opts.Length = int64(len(c.Response.BodyBase64))
			}
			got, err := sandbox.Files.Read(t.Context(), "/x", opts)
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != string(c.Response.BodyBase64) {
				t.Errorf("got %q, want %q", got, c.Response.BodyBase64)
			}
		})
	}
}

func TestCapturedReadBehindTheEnd(t *testing.T) {
	t.Parallel()
	sandbox, _ := replay(t, "files-get-range-bad")
	r, err := sandbox.Files.Open(t.Context(), "/x", &sandboxclient.ReadOptions{Offset: 100})
	if err != nil {
		t.Fatal(err)
	}
	if n, _ := r.Read(make([]byte, 8)); n != 0 || r.Size != 6 {
		t.Errorf("%d bytes of a file of %d, want 0 of 6", n, r.Size)
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
}

func TestCapturedWatch(t *testing.T) {
	t.Parallel()
	sandbox, _ := replay(t, "filesystem-watchdir-1-start")
	w, err := sandbox.Files.Watch(t.Context(), "/x", &sandboxclient.WatchOptions{Recursive: true})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = w.Close() }()
	var got []string
	var last error
	for event, err := range w.Events() {
		if last = err; err == nil {
			got = append(got, string(event.Type)+" "+event.Name)
		}
	}
	want := "create new,chmod new,create new/f.txt,chmod new/f.txt,write new/f.txt"
	if strings.Join(got, ",") != want || !sandboxclient.IsTimeout(last) {
		t.Errorf("got %s and %v, want %s and the server's deadline", got, last, want)
	}
}

// Every execution that was recorded decodes to what its lines say.
func TestCapturedExecutions(t *testing.T) {
	t.Parallel()
	names, err := filepath.Glob("testdata/captures/execute-*.json")
	if err != nil || len(names) == 0 {
		t.Fatal("no captures", err)
	}
	for _, file := range names {
		name := strings.TrimSuffix(filepath.Base(file), ".json")
		c := readCapture(t, name)
		if c.Response.Status != http.StatusOK || c.Request.Path != api.PathExecute {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sandbox, c := replay(t, name)
			got, err := sandbox.Code.Run(t.Context(), "x", nil)
			if err != nil {
				t.Fatal(err)
			}
			compareExecution(t, c, got)
		})
	}
}

func compareExecution(t *testing.T, c *capture, got *sandboxclient.Execution) {
	t.Helper()
	var lines []map[string]any
	if err := json.Unmarshal(c.Decoded, &lines); err != nil {
		t.Fatal(err)
	}
	var stdout, stderr string
	results := 0
	for _, line := range lines {
		switch api.LineType(line["type"].(string)) {
		case api.LineStdout:
			stdout += line["text"].(string)
		case api.LineStderr:
			stderr += line["text"].(string)
		case api.LineError:
			if got.Error == nil || got.Error.Name != line["name"] || got.Error.Value != line["value"] || got.Error.Traceback != line["traceback"] {
				t.Errorf("error %+v, want %v", got.Error, line)
			}
		case api.LineResult:
			if results >= len(got.Results) {
				t.Fatalf("%d results are too few", len(got.Results))
			}
			compareResult(t, line, got.Results[results])
			results++
		}
	}
	if got.Stdout.String() != stdout || got.Stderr.String() != stderr || len(got.Results) != results {
		t.Errorf("got %q, %q and %d results, want %q, %q and %d", got.Stdout, got.Stderr, len(got.Results), stdout, stderr, results)
	}
}

func compareResult(t *testing.T, line map[string]any, got *sandboxclient.CodeResult) {
	t.Helper()
	if got.IsMain != line["is_main_result"] {
		t.Errorf("main result %v, want %v", got.IsMain, line["is_main_result"])
	}
	for key, value := range map[string]string{
		"text": got.Text, "html": got.HTML, "markdown": got.Markdown, "svg": got.SVG, "png": got.PNG, "jpeg": got.JPEG,
		"pdf": got.PDF, "latex": got.LaTeX, "javascript": got.JavaScript,
	} {
		if want, _ := line[key].(string); value != want {
			t.Errorf("%s is %.40q, want %.40q", key, value, want)
		}
	}
	if got.PNG != "" {
		if image, err := base64.StdEncoding.DecodeString(got.PNG); err != nil || http.DetectContentType(image) != "image/png" {
			t.Errorf("png does not decode: %v", err)
		}
	}
	for key, value := range map[string]json.RawMessage{"json": got.JSON, "data": got.Data, "chart": got.Chart} {
		if _, there := line[key]; there != (len(value) > 0) {
			t.Errorf("%s: there %v, got %s", key, there, value)
		}
	}
	if extra, _ := line["extra"].(map[string]any); len(extra) != len(got.Extra) {
		t.Errorf("extra %v, want %v", got.Extra, extra)
	}
}

func TestCapturedCodeFailures(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]sandboxclient.Code{
		"execute-context-unknown":      sandboxclient.CodeNotFound,
		"execute-context-and-language": sandboxclient.CodeInvalidArgument,
		"execute-language-unknown":     sandboxclient.CodeInternal,
		"execute-missing-code":         sandboxclient.CodeInvalidArgument,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sandbox, _ := replay(t, name)
			if _, err := sandbox.Code.Run(t.Context(), "x", nil); sandboxclient.CodeOf(err) != want {
				t.Errorf("got %v, want %s", err, want)
			}
		})
	}
}

func TestCapturedContexts(t *testing.T) {
	t.Parallel()
	sandbox, _ := replay(t, "contexts-1-create")
	made, err := sandbox.Code.CreateContext(t.Context(), nil)
	if err != nil || made.Language != "python" || made.ID == "" {
		t.Errorf("create: %+v, %v", made, err)
	}
	sandbox, _ = replay(t, "contexts-2-list")
	list, err := sandbox.Code.ListContexts(t.Context())
	if err != nil || len(list) != 2 {
		t.Errorf("list: %+v, %v", list, err)
	}
	sandbox, _ = replay(t, "contexts-4-restart")
	if err := sandbox.Code.RestartContext(t.Context(), "x"); err != nil {
		t.Errorf("restart: %v", err)
	}
	sandbox, _ = replay(t, "contexts-7-delete")
	if err := sandbox.Code.DeleteContext(t.Context(), "x"); err != nil {
		t.Errorf("delete: %v", err)
	}
	sandbox, _ = replay(t, "contexts-8-delete-again")
	if err := sandbox.Code.DeleteContext(t.Context(), "x"); !sandboxclient.IsNotFound(err) {
		t.Errorf("delete again: %v", err)
	}
}
