package interpreter_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/agentsandbox/agent-sandbox/sandboxd/agent/interpreter"
)

// patience bounds everything that a test waits for.
const patience = 60 * time.Second

// server is an interpreter behind a real HTTP server, so that a client can go.
type server struct {
	t   *testing.T
	url string
}

func newServer(t *testing.T, config *interpreter.Config) *server {
	t.Helper()
	if config == nil {
		config = &interpreter.Config{}
	}
	if config.Cwd == "" {
		config.Cwd = t.TempDir()
	}
	return serve(t, interpreter.New(config))
}

// serve puts handler behind a server until the end of the test.
func serve(t *testing.T, handler *interpreter.Server) *server {
	t.Helper()
	front := httptest.NewServer(handler)
	t.Cleanup(func() {
		_ = handler.Close()
		front.Close()
	})
	return &server{t, front.URL}
}

// needs skips a test of a language that this machine does not have. The others
// are required.
func needs(t *testing.T, program string) {
	t.Helper()
	for _, dir := range []string{"/usr/local/bin", "/usr/bin", "/bin"} {
		if _, err := exec.LookPath(dir + "/" + program); err == nil {
			return
		}
	}
	t.Skipf("%s is not installed on this machine", program)
}

// needsModule skips a test of a Python library that this machine does not have.
func needsModule(t *testing.T, name string) {
	t.Helper()
	if err := exec.Command("/usr/bin/python3", "-c", "import "+name).Run(); err != nil {
		t.Skipf("the Python module %s is not installed on this machine (Debian: python3-%s)", name, strings.TrimSuffix(name, ".pyplot"))
	}
}

// cell is the body of POST /execute.
type cell struct {
	Code     string            `json:"code"`
	Language string            `json:"language,omitempty"`
	Context  string            `json:"context_id,omitempty"`
	Env      map[string]string `json:"env_vars,omitempty"`
}

// answer is what an execution gave.
type answer struct {
	count      int
	out, err   string
	results    []map[string]any
	failure    map[string]any // the error line, nil without one
	keepalives int
	types      []string // of all lines in order
}

// text is that of the main result, "" without one.
func (a *answer) text() string {
	for _, result := range a.results {
		if result["is_main_result"] == true {
			text, _ := result["text"].(string)
			return text
		}
	}
	return ""
}

func (a *answer) failed(name, value string) bool {
	return a.failure != nil && a.failure["name"] == name && a.failure["value"] == value
}

func (s *server) run(language, code string) *answer {
	s.t.Helper()
	return s.execute(cell{Code: code, Language: language})
}

func (s *server) execute(c cell) *answer {
	s.t.Helper()
	response := s.open(s.t.Context(), c)
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		body, _ := io.ReadAll(response.Body)
		s.t.Fatalf("execute %q: status %d: %s", c.Code, response.StatusCode, body)
	}
	return s.read(response.Body)
}

// open sends a request and returns when the answer begins.
func (s *server) open(ctx context.Context, c cell) *http.Response {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(ctx, patience)
	s.t.Cleanup(cancel)
	body, err := json.Marshal(c)
	if err != nil {
		s.t.Fatal(err)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, s.url+"/execute", bytes.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		s.t.Fatalf("execute %q: %v", c.Code, err)
	}
	return response
}

func (s *server) read(body io.Reader) *answer {
	s.t.Helper()
	var a answer
	lines := bufio.NewReader(body)
	for {
		line, err := lines.ReadBytes('\n')
		if err == io.EOF && len(line) == 0 {
			break
		}
		if err != nil {
			s.t.Fatalf("read answer after %v: %v", a.types, err)
		}
		a.add(s.t, line)
	}
	if len(a.types) < 2 || a.types[0] != "number_of_executions" || a.types[len(a.types)-1] != "end_of_execution" {
		s.t.Fatalf("lines are %v, want number_of_executions first and end_of_execution last", a.types)
	}
	return &a
}

func (a *answer) add(t *testing.T, raw []byte) {
	t.Helper()
	var line map[string]any
	if err := json.Unmarshal(raw, &line); err != nil {
		t.Fatalf("line %q: %v", raw, err)
	}
	kind, _ := line["type"].(string)
	a.types = append(a.types, kind)
	switch kind {
	case "number_of_executions":
		a.count = int(line["execution_count"].(float64))
	case "stdout":
		a.out += line["text"].(string)
	case "stderr":
		a.err += line["text"].(string)
	case "result":
		a.results = append(a.results, line)
	case "error":
		a.failure = line
	case "keepalive":
		a.keepalives++
	}
}

// call sends a request with a JSON body and returns status and body.
func (s *server) call(method, path, body string) (int, string) {
	s.t.Helper()
	request, err := http.NewRequestWithContext(s.t.Context(), method, s.url+path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		s.t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return response.StatusCode, string(text)
}

// newContext makes a context and returns its id.
func (s *server) newContext(body string) string {
	s.t.Helper()
	status, text := s.call(http.MethodPost, "/contexts", body)
	var info struct{ ID string }
	if err := json.Unmarshal([]byte(text), &info); err != nil || status != http.StatusOK || info.ID == "" {
		s.t.Fatalf("create context %s: status %d: %s", body, status, text)
	}
	return info.ID
}

// script is a cell with what must come of it. Empty fields must be empty.
type script struct {
	code, out, err, text string
	failure, value       string // name and value of the error
}

// follow runs the scripts one after the other in the default context.
func (s *server) follow(language string, scripts []script) {
	s.t.Helper()
	for _, want := range scripts {
		got := s.run(language, want.code)
		if got.out != want.out || got.err != want.err || got.text() != want.text {
			s.t.Errorf("%s: %s\n got out %q err %q text %q\nwant out %q err %q text %q", language, want.code,
				got.out, got.err, got.text(), want.out, want.err, want.text)
		}
		if want.failure == "" && got.failure != nil || want.failure != "" && !got.failed(want.failure, want.value) {
			s.t.Errorf("%s: %s\nfailed with %v, want %q %q", language, want.code, got.failure, want.failure, want.value)
		}
	}
}

func compact(t *testing.T, value any) string {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	text = bytes.ReplaceAll(text, []byte(`\u003c`), []byte("<"))
	return string(bytes.ReplaceAll(text, []byte(`\u003e`), []byte(">")))
}
