package sandboxclient

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/agentsandbox/agent-sandbox/sandboxclient/api"
)

// MetricsOptions configure Metrics; nil asks for all samples.
type MetricsOptions struct {
	Start, End time.Time // whole seconds; zero: no bound
}

// Metrics gives samples of a sandbox's use, oldest first; none in the first
// moments. On FC one a minute, or CodeUnsupported.
func (c *Client) Metrics(ctx context.Context, id string, opts *MetricsOptions) ([]api.SandboxMetric, error) {
	var samples []api.SandboxMetric
	call := sandboxCall("get metrics of sandbox", http.MethodGet, id, api.SuffixMetrics)
	call.answer, call.idempotent, call.query = &samples, true, url.Values{}
	if opts != nil && !opts.Start.IsZero() {
		call.query.Set("start", strconv.FormatInt(opts.Start.Unix(), 10))
	}
	if opts != nil && !opts.End.IsZero() {
		call.query.Set("end", strconv.FormatInt(opts.End.Unix(), 10))
	}
	err := c.do(ctx, call)
	return samples, err
}

// LatestMetrics gives the newest sample of each sandbox, by id; at most 100
// ids. Sandboxes without a sample are left out.
func (c *Client) LatestMetrics(ctx context.Context, ids ...string) (map[string]api.SandboxMetric, error) {
	var answer api.SandboxMetrics
	err := c.do(ctx, &controlCall{
		op: "get metrics", method: http.MethodGet, path: api.PathSandboxMetrics,
		query: url.Values{"sandbox_ids": {strings.Join(ids, ",")}}, answer: &answer, idempotent: true,
	})
	return answer.Sandboxes, err
}
