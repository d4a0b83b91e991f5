package sandboxclient_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/agentsandbox/agent-sandbox/sandboxclient"
	"github.com/agentsandbox/agent-sandbox/sandboxclient/api"
	"github.com/agentsandbox/agent-sandbox/sandboxclient/envd/filesystem/filesystemconnect"
	"github.com/agentsandbox/agent-sandbox/sandboxclient/envd/process/processconnect"
)

const (
	testKey   = "e2b_0123456789abcdef"
	testToken = "token-of-the-sandbox"
	testID    = "sbx-c64b949e-2647-42ec-a796-83c2c9a7ab53" // FC's style, with dashes
)

// backend is a small backend in memory: a control plane of one sandbox, an
// envd that runs real processes, and an interpreter that a test scripts. It
// is strict where the real one is: a deadline kills only the shell, a stream
// waits for everybody who holds its pipe, and the token is wanted.
type backend struct {
	tb      testing.TB
	version string // of envd
	code    http.HandlerFunc

	mu       sync.Mutex
	requests []request
	fail     []fault // answers for the next matching requests
	killed   bool
	process  *processService
	files    *fileService
	data     http.Handler // envd, without routing
}

type request struct {
	Method, Path, Host, Query string
	Header                    http.Header
}

// fault answers a request in the backend's place.
type fault struct {
	path   string // prefix
	handle http.HandlerFunc
}

func newBackend(tb testing.TB, version string) *backend {
	tb.Helper()
	if runtime.GOOS == "windows" {
		tb.Skip("the backend of these tests runs /bin/bash")
	}
	b := &backend{tb: tb, version: version}
	b.process = newProcessService(tb)
	b.files = &fileService{root: tb.TempDir(), version: version}
	mux := http.NewServeMux()
	mux.Handle(processconnect.NewProcessHandler(b.process))
	mux.Handle(filesystemconnect.NewFilesystemHandler(b.files))
	mux.HandleFunc("GET /health", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	mux.HandleFunc("GET /files", b.files.get)
	mux.HandleFunc("POST /files", b.files.post)
	b.data = mux
	return b
}

// client gives a client of b, whose waits are short.
func (b *backend) client(opts *sandboxclient.Options) *sandboxclient.Client {
	b.tb.Helper()
	filled := sandboxclient.Options{}
	if opts != nil {
		filled = *opts
	}
	if filled.APIURL == "" {
		filled.APIURL = "https://api.test.example"
	}
	if filled.HTTPClient == nil {
		filled.HTTPClient = serveMemory(b.tb, b)
	}
	c, err := sandboxclient.New(testKey, &filled)
	if err != nil {
		b.tb.Fatal(err)
	}
	return c
}

func (b *backend) sandbox() *sandboxclient.Sandbox {
	b.tb.Helper()
	s, err := b.client(nil).Create(b.tb.Context(), nil)
	if err != nil {
		b.tb.Fatal(err)
	}
	return s
}

// once answers the next request below path with handle.
func (b *backend) once(path string, handle http.HandlerFunc) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.fail = append(b.fail, fault{path, handle})
}

func (b *backend) seen(path string) []request {
	b.mu.Lock()
	defer b.mu.Unlock()
	var found []request
	for _, r := range b.requests {
		if strings.HasPrefix(r.Path, path) {
			found = append(found, r)
		}
	}
	return found
}

func (b *backend) setKilled(killed bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.killed = killed
}

func (b *backend) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	b.mu.Lock()
	b.requests = append(b.requests, request{r.Method, r.URL.Path, r.Host, r.URL.RawQuery, r.Header.Clone()})
	killed := b.killed
	for i, f := range b.fail {
		if strings.HasPrefix(r.URL.Path, f.path) {
			b.fail = append(b.fail[:i:i], b.fail[i+1:]...)
			b.mu.Unlock()
			f.handle(w, r)
			return
		}
	}
	b.mu.Unlock()
	switch {
	case strings.HasPrefix(r.Host, "api."):
		b.control(w, r, killed)
	case killed:
		writeJSON(w, http.StatusBadGateway, api.ProxyError{SandboxID: testID, Message: "The sandbox was not found", Code: 502})
	case r.URL.Path != api.PathHealth && r.Header.Get(api.HeaderAccessToken) != testToken:
		writeJSON(w, http.StatusUnauthorized, api.Error{Code: 401, Message: "unauthorized access"})
	case strings.HasPrefix(r.Host, "49999-") && b.code != nil:
		b.code(w, r)
	case strings.HasPrefix(r.Host, "49999-"):
		writeJSON(w, http.StatusBadGateway, api.ProxyError{SandboxID: testID, Message: "The sandbox is running but port is not open", Port: 49999, Code: 502})
	default:
		b.data.ServeHTTP(w, r)
	}
}

func (b *backend) control(w http.ResponseWriter, r *http.Request, killed bool) {
	own := api.PathSandboxes + "/" + testID
	switch {
	case r.Header.Get(api.HeaderAPIKey) != testKey:
		writeJSON(w, http.StatusUnauthorized, api.Error{Code: 401, Message: "invalid API key"})
	case r.Method == http.MethodPost && r.URL.Path == api.PathSandboxes:
		writeJSON(w, http.StatusCreated, b.wire())
	case !strings.HasPrefix(r.URL.Path, own) || killed:
		writeJSON(w, http.StatusNotFound, api.Error{Code: 404, Message: fmt.Sprintf("Sandbox %q doesn't exist or you don't have access to it", testID)})
	case r.URL.Path == own+api.SuffixConnect:
		writeJSON(w, http.StatusOK, b.wire())
	case r.Method == http.MethodGet && r.URL.Path == own:
		writeJSON(w, http.StatusOK, api.SandboxDetail{ListedSandbox: api.ListedSandbox{SandboxID: testID, State: api.StateRunning, EndAt: time.Now()}})
	case r.Method == http.MethodDelete && r.URL.Path == own:
		b.setKilled(true)
		w.WriteHeader(http.StatusNoContent)
	default:
		w.WriteHeader(http.StatusNoContent)
	}
}

func (b *backend) wire() api.Sandbox {
	return api.Sandbox{TemplateID: "base", SandboxID: testID, ClientID: api.LegacyClientID, EnvdVersion: b.version, EnvdAccessToken: testToken}
}

func writeJSON(w http.ResponseWriter, status int, body any) {
	content, err := json.Marshal(body)
	if err != nil {
		panic(err)
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(content)))
	w.WriteHeader(status)
	_, _ = w.Write(content)
}
