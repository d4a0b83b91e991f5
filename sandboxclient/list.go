package sandboxclient

import (
	"context"
	"iter"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/agentsandbox/agent-sandbox/sandboxclient/api"
)

// SandboxInfo is what the control plane knows about a sandbox. A list fills
// the part that api.ListedSandbox names. Its EnvdAccessToken is a secret.
type SandboxInfo = api.SandboxDetail

// Get asks about one sandbox; an unknown or ended id is CodeNotFound.
func (c *Client) Get(ctx context.Context, id string) (*SandboxInfo, error) {
	info := new(SandboxInfo)
	call := sandboxCall("get sandbox", http.MethodGet, id, "")
	call.answer, call.idempotent = info, true
	if err := c.do(ctx, call); err != nil {
		return nil, err
	}
	return info, nil
}

// ListOptions filter List; nil lists every running and paused sandbox.
type ListOptions struct {
	// Metadata lists only sandboxes that carry all of these pairs.
	Metadata map[string]string
	// States lists only these; empty: whatever the backend lists.
	States []api.State
	// Template lists only sandboxes of this template.
	Template string
	// StartedAfter lists only those started later; zero: all.
	StartedAfter time.Time
	// OldestFirst turns the order round.
	OldestFirst bool
	// PageSize is how many one request asks for, 1 to 100; 0: the backend's.
	PageSize int
}

// List runs through the sandboxes of the account, page by page as they are
// needed. After an error the sequence ends.
func (c *Client) List(ctx context.Context, opts *ListOptions) iter.Seq2[*SandboxInfo, error] {
	if opts == nil {
		opts = &ListOptions{}
	}
	return func(yield func(*SandboxInfo, error) bool) {
		query := opts.query()
		for {
			page, next, err := c.listPage(ctx, query)
			if err != nil {
				yield(nil, err)
				return
			}
			for i := range page {
				if !yield(&SandboxInfo{ListedSandbox: page[i]}, nil) {
					return
				}
			}
			if next == "" || next == query.Get("nextToken") {
				return
			}
			query.Set("nextToken", next)
		}
	}
}

func (c *Client) listPage(ctx context.Context, query url.Values) (page []api.ListedSandbox, next string, err error) {
	call := &controlCall{
		op: "list sandboxes", method: http.MethodGet, path: api.PathSandboxesV2,
		query: query, answer: &page, idempotent: true,
	}
	if err := c.do(ctx, call); err != nil {
		return nil, "", err
	}
	return page, call.header.Get(api.HeaderNextToken), nil
}

func (o *ListOptions) query() url.Values {
	q := url.Values{}
	if len(o.Metadata) > 0 {
		q.Set("metadata", encodeMetadata(o.Metadata))
	}
	if len(o.States) > 0 {
		states := make([]string, len(o.States))
		for i, s := range o.States {
			states[i] = string(s)
		}
		q.Set("state", strings.Join(states, ","))
	}
	if o.Template != "" {
		q.Set("template", o.Template)
	}
	if !o.StartedAfter.IsZero() {
		q.Set("startedAfter", o.StartedAfter.UTC().Format(time.RFC3339))
	}
	if o.OldestFirst {
		q.Set("order", "asc")
	}
	if o.PageSize > 0 {
		q.Set("limit", strconv.Itoa(o.PageSize))
	}
	return q
}

// encodeMetadata writes the filter: a query string inside one query value,
// whose keys and values are escaped once more (E2B API and SDK).
func encodeMetadata(metadata map[string]string) string {
	inner := url.Values{}
	for k, v := range metadata {
		inner.Set(escapeComponent(k), escapeComponent(v))
	}
	return inner.Encode()
}

// escapeComponent writes a blank as %20: a plus sign would not survive the
// second decoding.
func escapeComponent(s string) string { return strings.ReplaceAll(url.QueryEscape(s), "+", "%20") }
