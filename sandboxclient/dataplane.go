package sandboxclient

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/agentsandbox/agent-sandbox/sandboxclient/api"
)

// dataPlane sends requests to one port of a sandbox. It adds the headers that
// route and authorise, and turns what a gateway answers in place of the
// sandbox into an *Error. It is the connect.HTTPClient of the RPC clients.
type dataPlane struct {
	sandbox *Sandbox
	port    int
	base    string // URL without final slash
	header  http.Header
	// answered: the service behind the port has answered before, so a
	// gateway's 404 or 502 is no matter of starting up.
	answered atomic.Bool
}

func newDataPlane(s *Sandbox, port int) *dataPlane {
	h := http.Header{}
	h.Set("User-Agent", s.client.userAgent)
	h.Set(api.HeaderSandboxID, s.ID)
	h.Set(api.HeaderSandboxPort, strconv.Itoa(port))
	if s.accessToken != "" {
		h.Set(api.HeaderAccessToken, s.accessToken)
	}
	if s.trafficToken != "" && port != api.EnvdPort {
		h.Set(api.HeaderTrafficToken, s.trafficToken)
	}
	return &dataPlane{sandbox: s, port: port, base: s.client.endpoint.baseURL(s.Domain, s.ID, port), header: h}
}

// errMediaType: envd does not take this codec (HTTP 415) and did nothing.
var errMediaType = errors.New("media type refused")

// Do sends req, whose headers it completes. An answer of 400 and above comes
// back as an *Error unless it is a connect error, which connect reads itself.
func (d *dataPlane) Do(req *http.Request) (*http.Response, error) {
	for name, values := range d.header {
		req.Header[name] = values
	}
	if req.Header.Get(api.HeaderConnectTimeout) == "0" {
		req.Header.Del(api.HeaderConnectTimeout) // envd takes 0 for "already over"
	}
	resp, err := d.sandbox.client.send(req)
	if err != nil {
		return nil, transportError(req.URL.Path, d.sandbox.ID, err)
	}
	if resp.StatusCode < 400 {
		d.answered.Store(true)
		return resp, nil
	}
	return d.refused(req, resp)
}

func (d *dataPlane) refused(req *http.Request, resp *http.Response) (*http.Response, error) {
	body, _ := io.ReadAll(io.LimitReader(resp.Body, maxErrorBody))
	var wire refusal
	if json.Unmarshal(body, &wire) != nil {
		wire = refusal{}
	}
	if wire.fromConnect() {
		d.answered.Store(true)
		resp.Body = readCloser{bytes.NewReader(body), resp.Body}
		return resp, nil
	}
	_ = resp.Body.Close()
	e := d.errorOf(resp, body, &wire)
	e.Op = req.URL.Path
	if !e.gateway {
		d.answered.Store(true)
	}
	return nil, e
}

type readCloser struct {
	io.Reader
	io.Closer
}

// refusal is the union of the JSON errors of the data plane: connect's (code
// is a name), envd's own (code is a number) and the proxy's (api.ProxyError).
type refusal struct {
	Code      json.RawMessage `json:"code"`
	Message   string          `json:"message"`
	SandboxID string          `json:"sandboxId"`
	Port      int             `json:"port"`
}

func (r *refusal) fromConnect() bool { return bytes.HasPrefix(r.Code, []byte(`"`)) }
func (r *refusal) fromProxy() bool   { return r.SandboxID != "" }

// errorOf reads an answer that is no connect error.
func (d *dataPlane) errorOf(resp *http.Response, body []byte, wire *refusal) *Error {
	e := &Error{
		Code: codeOfStatus(resp.StatusCode), Status: resp.StatusCode, SandboxID: d.sandbox.ID,
		Message: wire.Message, RetryAfter: retryAfter(resp.Header), header: resp.Header,
	}
	if e.Message == "" {
		e.Message = quoteBody(resp, body)
	}
	ownText := json.Valid(body) || strings.HasPrefix(resp.Header.Get("Content-Type"), "text/plain")
	switch {
	case resp.StatusCode == http.StatusUnsupportedMediaType:
		e.Code, e.Err = CodeUnsupported, errMediaType
	case resp.StatusCode == http.StatusBadGateway && wire.fromProxy() && wire.Port != 0:
		e.Code, e.gateway = CodePortClosed, true
	case resp.StatusCode == http.StatusBadGateway && wire.fromProxy():
		e.Code, e.gateway = CodeSandboxGone, true
	case resp.StatusCode >= 502 && resp.StatusCode <= 504:
		e.gateway = true
	case resp.StatusCode == http.StatusNotFound && !ownText:
		e.Code, e.gateway = CodeUnavailable, true // a gateway's page, not "file not found"
	}
	return e
}
