package sandboxclient

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/agentsandbox/agent-sandbox/sandboxclient/api"
)

// LogsOptions configure Logs; nil asks for the backend's default.
type LogsOptions struct {
	// Cursor is where to begin, in whole milliseconds; zero: at the end that
	// Backward says.
	Cursor time.Time
	// Limit is how many entries, at most 1000; 0: the backend's.
	Limit int
	// Backward goes from new to old.
	Backward bool
	// Level is the least level: "debug", "info", "warn" or "error".
	Level string
	// Search lists only entries that hold this text.
	Search string
}

// Logs gives what the backend logged about a sandbox; always empty on FC.
func (c *Client) Logs(ctx context.Context, id string, opts *LogsOptions) ([]api.LogEntry, error) {
	var answer api.Logs
	call := sandboxCall("get logs of sandbox", http.MethodGet, id, api.SuffixLogs)
	call.path = "/v2" + call.path
	call.answer, call.idempotent, call.query = &answer, true, opts.query()
	err := c.do(ctx, call)
	return answer.Logs, err
}

func (o *LogsOptions) query() url.Values {
	q := url.Values{}
	if o == nil {
		return q
	}
	if !o.Cursor.IsZero() {
		q.Set("cursor", strconv.FormatInt(o.Cursor.UnixMilli(), 10))
	}
	if o.Limit > 0 {
		q.Set("limit", strconv.Itoa(o.Limit))
	}
	if o.Backward {
		q.Set("direction", "backward")
	}
	if o.Level != "" {
		q.Set("level", o.Level)
	}
	if o.Search != "" {
		q.Set("search", o.Search)
	}
	return q
}
