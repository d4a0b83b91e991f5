package fcdeploy

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
)

const (
	smokeVersion  = "2025-06-18" // the newest that FC documents affinity for
	sessionHeader = "Mcp-Session-Id"
	maxSmokeBody  = 4 << 20
)

// SmokeResult is what the endpoint said of itself.
type SmokeResult struct {
	Server   string   `json:"server"` // name and version
	Protocol string   `json:"protocol"`
	Tools    []string `json:"tools"`
	Session  bool     `json:"session"` // it works with a session id
}

// SmokeOptions adjust [Smoke]; nil means none.
type SmokeOptions struct {
	HTTPClient *http.Client  // nil: http.DefaultClient
	ColdStart  time.Duration // how long to try until the first answer; default 1 min
	Pause      time.Duration // between tries; default 1 s
}

// Smoke speaks MCP to an endpoint as a client would: initialize, list the tools,
// end the session. Until the first answer it is patient, since a cold start may
// show as 502, 503 or a refused connection.
func Smoke(ctx context.Context, endpoint string, token Secret, opts *SmokeOptions) (*SmokeResult, error) {
	s := &smoke{endpoint: endpoint, token: token}
	if opts != nil {
		s.opts = *opts
	}
	setDefault(&s.opts.HTTPClient, http.DefaultClient)
	setDefault(&s.opts.ColdStart, time.Minute)
	setDefault(&s.opts.Pause, time.Second)
	result, err := s.begin(ctx)
	if err != nil {
		return nil, fmt.Errorf("initialize %s: %w", endpoint, err)
	}
	if err := s.finish(ctx, result); err != nil {
		return nil, err
	}
	return result, nil
}

type smoke struct {
	endpoint string
	token    Secret
	opts     SmokeOptions
	session  string
	protocol string
}

// statusError is an answer that is not a success.
type statusError struct {
	status int
	text   string
}

func (e *statusError) Error() string {
	return strings.TrimSpace(fmt.Sprintf("HTTP status %d %s: %s", e.status, http.StatusText(e.status), e.text))
}

func (s *smoke) begin(ctx context.Context) (*SmokeResult, error) {
	ctx, cancel := context.WithTimeout(ctx, s.opts.ColdStart)
	defer cancel()
	var last error // the endpoint's own words, rather than those of the deadline
	for {
		result, err := s.initialize(ctx)
		switch {
		case err == nil:
			return result, nil
		case ctx.Err() != nil:
			return nil, cmp.Or(last, err)
		case !cold(err):
			return nil, err
		}
		last = err
		select {
		case <-ctx.Done():
			return nil, last
		case <-time.After(s.opts.Pause):
		}
	}
}

func cold(err error) bool {
	if status, ok := errors.AsType[*statusError](err); ok {
		return status.status >= http.StatusBadGateway && status.status <= http.StatusGatewayTimeout
	}
	_, refused := errors.AsType[*url.Error](err)
	return refused
}

func (s *smoke) initialize(ctx context.Context) (*SmokeResult, error) {
	var answer struct {
		ProtocolVersion string
		ServerInfo      struct{ Name, Version string }
	}
	err := s.request(ctx, "initialize", map[string]any{
		"protocolVersion": smokeVersion, "capabilities": map[string]any{},
		"clientInfo": map[string]any{"name": "abx-mcp-deploy", "version": "1"},
	}, &answer)
	if err != nil {
		return nil, err
	}
	s.protocol = answer.ProtocolVersion
	return &SmokeResult{
		Server:   strings.TrimSpace(answer.ServerInfo.Name + " " + answer.ServerInfo.Version),
		Protocol: answer.ProtocolVersion, Session: s.session != "",
	}, nil
}

func (s *smoke) finish(ctx context.Context, result *SmokeResult) error {
	if _, err := s.do(ctx, http.MethodPost, map[string]any{"jsonrpc": "2.0", "method": "notifications/initialized"}); err != nil {
		return fmt.Errorf("confirm session: %w", err)
	}
	var answer struct{ Tools []struct{ Name string } }
	err := s.request(ctx, "tools/list", map[string]any{}, &answer)
	if errors.Is(err, io.ErrUnexpectedEOF) { // cut on its way: asking again changes nothing there
		err = s.request(ctx, "tools/list", map[string]any{}, &answer)
	}
	if err != nil {
		return fmt.Errorf("list tools: %w", err)
	}
	for _, tool := range answer.Tools {
		result.Tools = append(result.Tools, tool.Name)
	}
	if s.session == "" {
		return nil
	}
	if _, err := s.do(ctx, http.MethodDelete, nil); err != nil {
		return fmt.Errorf("end session: %w", err)
	}
	return nil
}

// request makes one JSON-RPC call.
func (s *smoke) request(ctx context.Context, method string, params, result any) error {
	text, err := s.do(ctx, http.MethodPost, map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
	if err != nil {
		return err
	}
	var message struct {
		Result json.RawMessage
		Error  *struct {
			Code    int
			Message string
		}
	}
	if err := json.Unmarshal(lastEvent(text), &message); err != nil {
		return fmt.Errorf("parse answer: %w", err)
	}
	if message.Error != nil {
		return fmt.Errorf("JSON-RPC error %d: %s", message.Error.Code, message.Error.Message)
	}
	return json.Unmarshal(message.Result, result)
}

func (s *smoke) do(ctx context.Context, method string, body any) ([]byte, error) {
	r, err := s.build(ctx, method, body)
	if err != nil {
		return nil, err
	}
	response, err := s.opts.HTTPClient.Do(r)
	if err != nil {
		return nil, err
	}
	defer func() { _ = response.Body.Close() }() // read to the end or failed
	text, err := io.ReadAll(io.LimitReader(response.Body, maxSmokeBody))
	if err != nil {
		return nil, err
	}
	if response.StatusCode >= http.StatusMultipleChoices {
		return nil, &statusError{response.StatusCode, firstLine(string(text))}
	}
	if id := response.Header.Get(sessionHeader); id != "" {
		s.session = id
	}
	return text, nil
}

func (s *smoke) build(ctx context.Context, method string, body any) (*http.Request, error) {
	var payload bytes.Buffer
	if body != nil {
		if err := json.NewEncoder(&payload).Encode(body); err != nil {
			return nil, err
		}
	}
	r, err := http.NewRequestWithContext(ctx, method, s.endpoint, &payload)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	for name, value := range map[string]string{sessionHeader: s.session, "Mcp-Protocol-Version": s.protocol} {
		if value != "" {
			r.Header.Set(name, value)
		}
	}
	if s.token != "" {
		r.Header.Set("Authorization", "Bearer "+s.token.Reveal())
	}
	return r, nil
}

// lastEvent takes the JSON out of an event stream: the answer is its last
// message. Plain JSON is returned as it is.
func lastEvent(text []byte) []byte {
	if trimmed := bytes.TrimSpace(text); bytes.HasPrefix(trimmed, []byte("{")) {
		return trimmed
	}
	var last []byte
	for line := range bytes.Lines(text) {
		if data, ok := bytes.CutPrefix(line, []byte("data:")); ok && len(bytes.TrimSpace(data)) > 0 {
			last = bytes.TrimSpace(data)
		}
	}
	return last
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line
}
