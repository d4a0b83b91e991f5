package sandboxclient

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"time"

	"github.com/agentsandbox/agent-sandbox/sandboxclient/api"
)

// ConnectOptions configure Connect; nil means the defaults.
type ConnectOptions struct {
	// Timeout is the least life that the sandbox has from now on, rounded up
	// to whole seconds; 0 is DefaultSandboxTimeout. It never shortens a life.
	Timeout time.Duration
}

// Connect attaches to a sandbox that exists, resuming it when it is paused.
func (c *Client) Connect(ctx context.Context, id string, opts *ConnectOptions) (*Sandbox, error) {
	const op = "connect to sandbox"
	if opts == nil {
		opts = &ConnectOptions{}
	}
	seconds, err := lifeSeconds(orDefault(opts.Timeout, DefaultSandboxTimeout))
	if err != nil {
		return nil, invalidArgument(op, err)
	}
	var answer api.Sandbox
	call := sandboxCall(op, http.MethodPost, id, api.SuffixConnect)
	call.body, call.answer, call.idempotent = &api.TimeoutRequest{Timeout: seconds}, &answer, true
	if err := c.do(ctx, call); err != nil {
		return nil, err
	}
	return c.sandbox(op, &answer)
}

// Kill destroys a sandbox, paused or running. An unknown or ended id is
// CodeNotFound.
func (c *Client) Kill(ctx context.Context, id string) error {
	ctx, cancel := c.withDefaultDeadline(ctx, 0)
	defer cancel()
	call := sandboxCall("kill sandbox", http.MethodDelete, id, "")
	lost := false
	return retry(ctx, true, func() error {
		err := c.attempt(ctx, call, nil)
		if lost && IsNotFound(err) {
			return nil // the attempt whose answer was lost did it
		}
		lost = lost || err != nil && CodeOf(err) != CodeRateLimited
		return err
	})
}

// SetTimeout makes the sandbox end d from now, sooner or later than before;
// 0 ends it now. A fraction of a second is rounded up.
func (c *Client) SetTimeout(ctx context.Context, id string, d time.Duration) error {
	const op = "set timeout of sandbox"
	seconds, err := lifeSeconds(d)
	if err != nil {
		return invalidArgument(op, err)
	}
	call := sandboxCall(op, http.MethodPost, id, api.SuffixTimeout)
	call.body, call.idempotent = &api.TimeoutRequest{Timeout: seconds}, true
	return c.do(ctx, call)
}

// Refresh makes the sandbox live at least d from now on (at most an hour).
func (c *Client) Refresh(ctx context.Context, id string, d time.Duration) error {
	const op = "refresh sandbox"
	seconds, err := lifeSeconds(d)
	if err == nil && seconds > 3600 {
		err = errors.New("duration is above 3600 seconds")
	}
	if err != nil {
		return invalidArgument(op, err)
	}
	call := sandboxCall(op, http.MethodPost, id, api.SuffixRefreshes)
	call.body, call.idempotent = &api.RefreshRequest{Duration: seconds}, true
	return c.do(ctx, call)
}

// PauseOptions configure Pause; nil means the defaults.
type PauseOptions struct {
	// DropMemory keeps the disk only.
	DropMemory bool
}

// Pause freezes a sandbox; Connect resumes it. A paused one is CodeConflict.
func (c *Client) Pause(ctx context.Context, id string, opts *PauseOptions) error {
	call := sandboxCall("pause sandbox", http.MethodPost, id, api.SuffixPause)
	if opts != nil && opts.DropMemory {
		call.body = &api.PauseRequest{Memory: new(bool)}
	}
	return c.do(ctx, call)
}

// ResumeOptions configure Resume; nil means the defaults.
type ResumeOptions struct {
	// Timeout is the new life; 0 is DefaultSandboxTimeout.
	Timeout   time.Duration
	AutoPause bool
}

// Resume wakes a paused sandbox; a running one is CodeConflict. Connect does
// the same without that error.
func (c *Client) Resume(ctx context.Context, id string, opts *ResumeOptions) (*Sandbox, error) {
	const op = "resume sandbox"
	if opts == nil {
		opts = &ResumeOptions{}
	}
	seconds, err := lifeSeconds(orDefault(opts.Timeout, DefaultSandboxTimeout))
	if err != nil {
		return nil, invalidArgument(op, err)
	}
	var answer api.Sandbox
	call := sandboxCall(op, http.MethodPost, id, api.SuffixResume)
	call.body, call.answer = &api.ResumeRequest{Timeout: seconds, AutoPause: opts.AutoPause}, &answer
	if err := c.do(ctx, call); err != nil {
		return nil, err
	}
	return c.sandbox(op, &answer)
}

// SetNetwork replaces the network rules of a sandbox; what update leaves out
// is cleared.
func (c *Client) SetNetwork(ctx context.Context, id string, update *api.NetworkUpdate) error {
	call := sandboxCall("set network of sandbox", http.MethodPut, id, api.SuffixNetwork)
	if update == nil {
		update = &api.NetworkUpdate{}
	}
	call.body, call.idempotent = update, true
	return c.do(ctx, call)
}

// sandboxCall is a call on one sandbox; ids may hold dashes and are escaped.
func sandboxCall(op, method, id, suffix string) *controlCall {
	return &controlCall{
		op: op, method: method, path: api.PathSandboxes + "/" + url.PathEscape(id) + suffix,
		sandboxID: id, resource: ResourceSandbox,
	}
}
