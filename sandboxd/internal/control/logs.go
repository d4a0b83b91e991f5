package control

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/agentsandbox/agent-sandbox/sandboxclient/api"
)

// maxLogs is the most that one call for logs returns.
const maxLogs = 1000

// logQuery is what a caller wants of the log. Cursors are milliseconds since
// 1970.
type logQuery struct {
	cursor   time.Time // zero: from the beginning, or the end when backward
	limit    int
	backward bool
	level    string
	search   string
}

func (h *Handler) logsV2(w http.ResponseWriter, r *http.Request) error {
	q, err := parseLogQuery(r.URL.Query(), "cursor")
	if err != nil {
		return err
	}
	entries, err := h.entries(r, q)
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, api.Logs{Logs: entries})
	return nil
}

// logsV1 is the older call, which has each entry twice: as a line and as an
// entry.
func (h *Handler) logsV1(w http.ResponseWriter, r *http.Request) error {
	q, err := parseLogQuery(r.URL.Query(), "start")
	if err != nil {
		return err
	}
	entries, err := h.entries(r, q)
	if err != nil {
		return err
	}
	lines := make([]api.LogLine, 0, len(entries))
	for _, e := range entries {
		lines = append(lines, api.LogLine{Timestamp: e.Timestamp, Line: e.Message})
	}
	writeJSON(w, http.StatusOK, api.LegacyLogs{Logs: lines, LogEntries: entries})
	return nil
}

// entries is the log of the sandbox that the path names: what happened to it.
func (h *Handler) entries(r *http.Request, q *logQuery) ([]api.LogEntry, error) {
	s, err := h.sandbox(r)
	if err != nil {
		return nil, err
	}
	entries := []api.LogEntry{}
	if !h.cfg.Profile.Logs {
		return entries, nil
	}
	for _, e := range s.Events() {
		entries = append(entries, api.LogEntry{
			Timestamp: e.At.UTC(), Level: "info", Message: "sandbox " + e.What,
			Fields: map[string]string{"logger": "sandboxd", "sandboxID": s.ID},
		})
	}
	return q.apply(entries), nil
}

func (q *logQuery) apply(entries []api.LogEntry) []api.LogEntry {
	if q.backward {
		slices.Reverse(entries)
	}
	entries = slices.DeleteFunc(entries, func(e api.LogEntry) bool { return !q.matches(&e) })
	return entries[:min(len(entries), q.limit)]
}

func (q *logQuery) matches(e *api.LogEntry) bool {
	inTime := q.cursor.IsZero() || !e.Timestamp.Before(q.cursor)
	if q.backward && !q.cursor.IsZero() {
		inTime = !e.Timestamp.After(q.cursor)
	}
	return inTime && (q.level == "" || q.level == e.Level || q.level == "debug") &&
		strings.Contains(e.Message, q.search)
}

func parseLogQuery(v url.Values, cursor string) (*logQuery, error) {
	q := &logQuery{limit: maxLogs, level: v.Get("level"), search: v.Get("search")}
	if v.Has(cursor) {
		ms, err := strconv.ParseInt(v.Get(cursor), 10, 64)
		if err != nil || ms < 0 {
			return nil, bad("%s: want milliseconds since 1970, got %q", cursor, v.Get(cursor))
		}
		q.cursor = time.UnixMilli(ms)
	}
	if v.Has("limit") {
		n, err := strconv.Atoi(v.Get("limit"))
		if err != nil || n < 0 || n > maxLogs {
			return nil, bad("limit: want a whole number from 0 to %d, got %q", maxLogs, v.Get("limit"))
		}
		q.limit = n
	}
	switch direction := v.Get("direction"); direction {
	case "", "forward":
	case "backward":
		q.backward = true
	default:
		return nil, bad("direction: %q is not one of forward, backward", direction)
	}
	return q, nil
}
