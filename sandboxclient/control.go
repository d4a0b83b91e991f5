package sandboxclient

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/agentsandbox/agent-sandbox/sandboxclient/api"
)

const (
	maxAnswer     = 32 << 20 // bytes of a JSON answer
	maxErrorBody  = 64 << 10 // bytes read of an error's body
	maxErrorQuote = 512      // bytes of an unparsed body that an error shows
)

// controlCall is one call of the control plane.
type controlCall struct {
	op, method, path string
	query            url.Values
	sandboxID        string
	resource         Resource // what a 404 did not find
	body, answer     any      // JSON; nil: none
	header           http.Header
	status           int
	idempotent       bool
	timeout          time.Duration // when the context has no deadline
}

// do sends the call, again where that is safe, and decodes the answer.
func (c *Client) do(ctx context.Context, call *controlCall) error {
	ctx, cancel := c.withDefaultDeadline(ctx, call.timeout)
	defer cancel()
	var body []byte
	if call.body != nil {
		var err error
		if body, err = json.Marshal(call.body); err != nil {
			return invalidArgument(call.op, err)
		}
	}
	return retry(ctx, call.idempotent, func() error { return c.attempt(ctx, call, body) })
}

func (c *Client) withDefaultDeadline(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	if _, ok := ctx.Deadline(); ok {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, orDefault(d, c.requestTimeout))
}

func (c *Client) attempt(ctx context.Context, call *controlCall, body []byte) error {
	req, err := c.controlRequest(ctx, call, body)
	if err != nil {
		return invalidArgument(call.op, err)
	}
	resp, err := c.send(req)
	if err != nil {
		return transportError(call.op, call.sandboxID, err)
	}
	defer closeBody(resp)
	call.header, call.status = resp.Header, resp.StatusCode
	if resp.StatusCode >= 300 {
		return controlError(call, resp)
	}
	if call.answer == nil {
		return nil
	}
	if err := decodeAnswer(resp.Body, call.answer); err != nil {
		return &Error{Op: call.op, Code: CodeOutcomeUnknown, Status: resp.StatusCode, SandboxID: call.sandboxID, Err: err}
	}
	return nil
}

func (c *Client) controlRequest(ctx context.Context, call *controlCall, body []byte) (*http.Request, error) {
	target := c.endpoint.api.String() + call.path
	if len(call.query) > 0 {
		target += "?" + call.query.Encode()
	}
	var content io.Reader
	if body != nil {
		content = bytes.NewReader(body)
	}
	req, err := http.NewRequestWithContext(ctx, call.method, target, content)
	if err != nil {
		return nil, err
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	req.Header.Set("Accept", "application/json")
	req.Header.Set("User-Agent", c.userAgent)
	req.Header.Set(api.HeaderAPIKey, c.apiKey)
	return req, nil
}

// send is the one door to the network. It logs neither headers nor the query,
// which can hold a signature.
func (c *Client) send(req *http.Request) (*http.Response, error) {
	start := time.Now()
	resp, err := c.http.Do(req)
	status := 0
	if resp != nil {
		status = resp.StatusCode
	}
	c.logger.DebugContext(req.Context(), "request", "method", req.Method, "host", req.URL.Host,
		"path", req.URL.Path, "status", status, "duration", time.Since(start))
	if ue, ok := errors.AsType[*url.Error](err); ok {
		err = ue.Err // without the URL and its query
	}
	return resp, err
}

func closeBody(resp *http.Response) { finishBody(resp.Body) }

// finishBody reads the little that may be left of an answer, so that its
// connection can be used again, but does not wait for it.
func finishBody(body io.ReadCloser) {
	timer := time.AfterFunc(shellGrace, func() { _ = body.Close() })
	defer timer.Stop()
	_, _ = io.CopyN(io.Discard, body, 4<<10)
	_ = body.Close()
}

func decodeAnswer(r io.Reader, into any) error {
	body, err := io.ReadAll(io.LimitReader(r, maxAnswer+1))
	if err != nil {
		return fmt.Errorf("read answer: %w", err)
	}
	if len(body) > maxAnswer {
		return fmt.Errorf("answer is longer than %d bytes", maxAnswer)
	}
	if err := json.Unmarshal(body, into); err != nil {
		return fmt.Errorf("decode answer: %w", err)
	}
	return nil
}

// controlError reads a control-plane error. A gateway in front may answer
// HTML or plain text.
func controlError(call *controlCall, resp *http.Response) error {
	e := &Error{
		Op: call.op, Code: codeOfStatus(resp.StatusCode), Status: resp.StatusCode,
		SandboxID: call.sandboxID, RetryAfter: retryAfter(resp.Header),
	}
	body, _ := io.ReadAll(io.LimitReader(resp.Body, maxErrorBody))
	var wire api.Error
	isJSON := json.Unmarshal(body, &wire) == nil && wire.Message != ""
	if e.Message = wire.Message; !isJSON {
		e.Message = quoteBody(resp, body)
	}
	switch {
	case e.Status == http.StatusNotFound && !isJSON:
		e.Code = CodeUnsupported // no such endpoint here, not "no such sandbox"
	case e.Status == http.StatusNotFound:
		e.Resource = call.resource
	case e.Status == http.StatusTooManyRequests && e.RetryAfter == 0:
		e.Code = CodeQuotaExceeded // a rate limit names a time, a quota does not
	case e.Status >= 500 && !call.idempotent && e.Code != CodeUnsupported:
		e.Code = CodeOutcomeUnknown
	}
	return e
}

// quoteBody is the text of a body that is not the protocol's JSON.
func quoteBody(resp *http.Response, body []byte) string {
	text := strings.TrimSpace(strings.ToValidUTF8(string(body), "\uFFFD"))
	switch {
	case text == "":
		return http.StatusText(resp.StatusCode)
	case strings.HasPrefix(text, "<"):
		return "a gateway answered with an HTML page"
	case len(text) > maxErrorQuote:
		return strings.ToValidUTF8(text[:maxErrorQuote], "") + "…"
	default:
		return text
	}
}
