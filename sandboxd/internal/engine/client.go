// Package engine speaks the part of the Docker Engine API that sandboxes need,
// as plain HTTP on the engine's socket.
package engine

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
)

// Client is a connection to one engine.
type Client struct {
	network, address string
	http             *http.Client
}

// Error is an answer of the engine that is none of success.
type Error struct {
	Op      string
	Status  int
	Message string
}

// Error implements error.
func (e *Error) Error() string { return fmt.Sprintf("%s: %s (status %d)", e.Op, e.Message, e.Status) }

// IsNotFound reports whether the engine does not know the object.
func IsNotFound(err error) bool {
	e, ok := errors.AsType[*Error](err)
	return ok && e.Status == http.StatusNotFound
}

// New makes a client for the engine at the host, a unix:// or tcp:// URL as
// in DOCKER_HOST. "" is DOCKER_HOST, else the first usual socket that exists.
func New(host string) (*Client, error) {
	if host == "" {
		host = defaultHost()
	}
	u, err := url.Parse(host)
	if err != nil {
		return nil, fmt.Errorf("engine address: %w", err)
	}
	c := &Client{network: u.Scheme, address: u.Host}
	switch u.Scheme {
	case "unix":
		c.address = u.Path
	case "tcp":
	default:
		return nil, fmt.Errorf("engine address %q: only unix:// and tcp:// are supported", host)
	}
	c.http = &http.Client{Transport: &http.Transport{
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) { return c.dial(ctx) },
	}}
	return c, nil
}

// defaultHost looks where Docker Desktop, Colima and plain engines have their
// sockets.
func defaultHost() string {
	if host := os.Getenv("DOCKER_HOST"); host != "" {
		return host
	}
	sockets := []string{"/var/run/docker.sock"}
	if home, err := os.UserHomeDir(); err == nil {
		sockets = append(sockets, filepath.Join(home, ".docker/run/docker.sock"), filepath.Join(home, ".colima/default/docker.sock"))
	}
	if run := os.Getenv("XDG_RUNTIME_DIR"); run != "" {
		sockets = append(sockets, filepath.Join(run, "docker.sock"))
	}
	for _, path := range sockets {
		if _, err := os.Stat(path); err == nil {
			return "unix://" + path
		}
	}
	return "unix://" + sockets[0]
}

func (c *Client) dial(ctx context.Context) (net.Conn, error) {
	var d net.Dialer
	return d.DialContext(ctx, c.network, c.address)
}

// Close gives up idle connections.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// do sends a request and decodes the answer into out unless that is nil. body
// is sent as it is when it is a reader, else as JSON.
func (c *Client) do(ctx context.Context, op, method, path string, query url.Values, body, out any) error {
	resp, err := c.send(ctx, op, method, path, query, body)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if out == nil {
		_, err = io.Copy(io.Discard, resp.Body)
	} else {
		err = json.NewDecoder(resp.Body).Decode(out)
	}
	if err != nil {
		return fmt.Errorf("%s: read answer: %w", op, err)
	}
	return nil
}

func (c *Client) send(ctx context.Context, op, method, path string, query url.Values, body any) (*http.Response, error) {
	payload, kind, err := encode(body)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", op, err)
	}
	u := url.URL{Scheme: "http", Host: "docker", Path: path, RawQuery: query.Encode()}
	req, err := http.NewRequestWithContext(ctx, method, u.String(), payload)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", op, err)
	}
	req.Header.Set("Content-Type", kind)
	resp, err := c.http.Do(req)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", op, err)
	}
	if resp.StatusCode >= 300 && resp.StatusCode != http.StatusNotModified {
		defer resp.Body.Close()
		return nil, failure(op, resp)
	}
	return resp, nil
}

func encode(body any) (io.Reader, string, error) {
	switch b := body.(type) {
	case nil:
		return nil, "", nil
	case io.Reader:
		return b, "application/x-tar", nil
	}
	text, err := json.Marshal(body)
	return bytes.NewReader(text), "application/json", err
}

// maxMessage bounds the text of an error.
const maxMessage = 4 << 10

func failure(op string, resp *http.Response) error {
	text, _ := io.ReadAll(io.LimitReader(resp.Body, maxMessage))
	var answer struct{ Message string }
	if json.Unmarshal(text, &answer) != nil || answer.Message == "" {
		answer.Message = strings.TrimSpace(string(text))
	}
	return &Error{Op: op, Status: resp.StatusCode, Message: answer.Message}
}
