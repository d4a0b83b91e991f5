package fctest_test

import (
	"archive/zip"
	"bytes"
	"crypto/hmac"
	"crypto/md5"
	"crypto/rand"
	"crypto/sha256"
	"debug/elf"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/agentsandbox/agent-sandbox/fcdeploy/fctest"
)

// caller makes requests by hand, signed by code of its own: neither the
// emulator nor an SDK is on this side.
type caller struct {
	t      *testing.T
	server *fctest.Server
	secret string
	edit   func(*http.Request) // after signing
}

func newCaller(t *testing.T, opts *fctest.Options) *caller {
	t.Helper()
	server := fctest.NewServer(opts)
	t.Cleanup(func() {
		if err := server.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return &caller{t: t, server: server, secret: "test-access-key-secret"}
}

// answer is a response, read.
type answer struct {
	status int
	body   map[string]any
	text   string
}

func (a *answer) code() string {
	for _, name := range []string{"Code", "ErrorCode"} {
		if code, ok := a.body[name].(string); ok {
			return code
		}
	}
	return ""
}

// call sends one FC 3.0 request. body may be nil, a string, or a value to encode.
func (c *caller) call(method, path, action string, body any) *answer {
	c.t.Helper()
	payload := encode(c.t, body)
	r, err := http.NewRequestWithContext(c.t.Context(), method, c.server.URL+"/2023-03-30"+path, bytes.NewReader(payload))
	if err != nil {
		c.t.Fatal(err)
	}
	r.Header.Set("x-acs-action", action)
	r.Header.Set("x-acs-version", "2023-03-30")
	r.Header.Set("x-acs-date", time.Now().UTC().Format("2006-01-02T15:04:05Z"))
	r.Header.Set("x-acs-signature-nonce", rand.Text())
	r.Header.Set("content-type", "application/json; charset=utf-8")
	c.sign3(r, payload)
	return c.send(r)
}

func (c *caller) sign3(r *http.Request, payload []byte) {
	sum := sha256.Sum256(payload)
	r.Header.Set("x-acs-content-sha256", hex.EncodeToString(sum[:]))
	lines := map[string]string{"host": r.URL.Host}
	for name := range r.Header {
		lines[strings.ToLower(name)] = r.Header.Get(name)
	}
	var names []string
	for name := range lines {
		names = append(names, name)
	}
	sort.Strings(names)
	request := fmt.Sprintf("%s\n%s\n%s\n", r.Method, r.URL.EscapedPath(), r.URL.RawQuery)
	for _, name := range names {
		request += name + ":" + lines[name] + "\n"
	}
	request += "\n" + strings.Join(names, ";") + "\n" + r.Header.Get("x-acs-content-sha256")
	hashed := sha256.Sum256([]byte(request))
	mac := hmac.New(sha256.New, []byte(c.secret))
	fmt.Fprintf(mac, "ACS3-HMAC-SHA256\n%x", hashed)
	r.Header.Set("Authorization", fmt.Sprintf("ACS3-HMAC-SHA256 Credential=test-access-key-id,SignedHeaders=%s,Signature=%x", strings.Join(names, ";"), mac.Sum(nil)))
}

// call2 sends one FC 2.0 request.
func (c *caller) call2(method, path string, body any) *answer {
	c.t.Helper()
	payload := encode(c.t, body)
	r, err := http.NewRequestWithContext(c.t.Context(), method, c.server.URL+"/2016-08-15"+path, bytes.NewReader(payload))
	if err != nil {
		c.t.Fatal(err)
	}
	sum := md5.Sum(payload)
	date := time.Now().UTC().Format(http.TimeFormat)
	r.Header.Set("Content-MD5", hex.EncodeToString(sum[:]))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Date", date)
	r.Header.Set("X-Fc-Account-Id", "1234567890123456")
	mac := hmac.New(sha256.New, []byte(c.secret))
	fmt.Fprintf(mac, "%s\n%x\napplication/json\n%s\nx-fc-account-id:1234567890123456\n%s", method, sum, date, "/2016-08-15"+path)
	r.Header.Set("Authorization", "FC test-access-key-id:"+base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	return c.send(r)
}

func (c *caller) send(r *http.Request) *answer {
	c.t.Helper()
	if c.edit != nil {
		c.edit(r)
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		c.t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		c.t.Fatal(err)
	}
	a := &answer{status: response.StatusCode, text: string(text)}
	_ = json.Unmarshal(text, &a.body) // some answers are HTML on purpose
	return a
}

// must fails the test unless the call succeeded.
func (c *caller) must(a *answer) *answer {
	c.t.Helper()
	if a.status >= 300 {
		c.t.Fatalf("status %d: %s", a.status, a.text)
	}
	return a
}

func encode(t *testing.T, body any) []byte {
	t.Helper()
	switch body := body.(type) {
	case nil:
		return nil
	case string:
		return []byte(body)
	}
	payload, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	return payload
}

// object is a JSON object with other members.
func object(base map[string]any, changes map[string]any) map[string]any {
	merged := map[string]any{}
	for _, m := range []map[string]any{base, changes} {
		for name, value := range m {
			merged[name] = value
		}
	}
	return merged
}

// functionBody is a complete CreateFunction request.
func functionBody(t *testing.T, changes map[string]any) map[string]any {
	t.Helper()
	return object(map[string]any{
		"functionName": "echo", "runtime": "custom.debian12", "handler": "index.handler", "cpu": 0.5, "memorySize": 512, "diskSize": 512,
		"timeout": 60, "instanceConcurrency": 10, "code": tinyCode(t),
		"sessionAffinity":       "MCP_STREAMABLE",
		"sessionAffinityConfig": `{"sessionConcurrencyPerInstance":1,"sessionTTLInSeconds":100,"sessionIdleTimeoutInSeconds":50}`,
	}, changes)
}

func triggerBody() map[string]any {
	return map[string]any{"triggerName": "http", "triggerType": "http", "qualifier": "LATEST",
		"triggerConfig": `{"authType":"anonymous","methods":["GET","POST","DELETE"]}`}
}

// tinyCode is a package with the smallest program that counts as one.
func tinyCode(t *testing.T) map[string]any {
	t.Helper()
	header := elf.Header64{Type: uint16(elf.ET_EXEC), Machine: uint16(elf.EM_X86_64), Version: 1, Ehsize: 64, Phentsize: 56, Shentsize: 64}
	copy(header.Ident[:], []byte{0x7f, 'E', 'L', 'F', byte(elf.ELFCLASS64), byte(elf.ELFDATA2LSB), 1})
	var program bytes.Buffer
	if err := binary.Write(&program, binary.LittleEndian, header); err != nil {
		t.Fatal(err)
	}
	code, err := packZip(0o755, program.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	return zipFile(code)
}

func zipFile(code []byte) map[string]any {
	return map[string]any{"zipFile": base64.StdEncoding.EncodeToString(code)}
}

// echoCode is a package with the program of internal/echo.
func echoCode(t *testing.T) map[string]any {
	t.Helper()
	code, err := buildEcho()
	if err != nil {
		t.Fatal(err)
	}
	return code
}

var buildEcho = sync.OnceValues(func() (map[string]any, error) {
	dir, err := os.MkdirTemp("", "fctest-echo-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	path := filepath.Join(dir, "echo")
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", path, "./internal/echo")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS=linux", "GOARCH=amd64")
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("build echo: %w\n%s", err, out)
	}
	program, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	code, err := packZip(0o755, program)
	return zipFile(code), err
})

func packZip(mode fs.FileMode, program []byte) ([]byte, error) {
	var out bytes.Buffer
	archive := zip.NewWriter(&out)
	header := &zip.FileHeader{Name: "bootstrap", Method: zip.Store}
	header.SetMode(mode)
	entry, err := archive.CreateHeader(header)
	if err == nil {
		_, err = entry.Write(program)
	}
	if err == nil {
		err = archive.Close()
	}
	return out.Bytes(), err
}
