package control

import (
	"encoding/base64"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/agentsandbox/agent-sandbox/sandboxclient/api"
	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/lifecycle"
)

// maxPage is the longest page of a list, and the one that a caller gets who
// does not say.
const maxPage = 100

// listV1 is the older list: running sandboxes only, all at once.
func (h *Handler) listV1(w http.ResponseWriter, r *http.Request) error {
	q := listQuery{states: []api.State{api.StateRunning}, metadata: parseMetadata(r.URL.Query().Get("metadata"))}
	found := q.filter(h.all())
	slices.SortFunc(found, newestFirst)
	writeJSON(w, http.StatusOK, found)
	return nil
}

// listV2 is a list in pages.
func (h *Handler) listV2(w http.ResponseWriter, r *http.Request) error {
	q, err := parseListQuery(r.URL.Query())
	if err != nil {
		return err
	}
	all := h.all()
	page, next := q.page(q.filter(all))
	if next != "" {
		w.Header().Set(api.HeaderNextToken, next)
	}
	running := listQuery{states: []api.State{api.StateRunning}}
	w.Header().Set(api.HeaderTotalRunning, strconv.Itoa(len(running.filter(all))))
	writeJSON(w, http.StatusOK, page)
	return nil
}

func (h *Handler) all() []api.ListedSandbox {
	var all []api.ListedSandbox
	for _, s := range h.cfg.Manager.List() {
		if s.Info().State != lifecycle.Ending {
			all = append(all, h.listed(s))
		}
	}
	return all
}

// listQuery is what a caller wants of a list.
type listQuery struct {
	states       []api.State
	metadata     map[string]string
	startedAfter time.Time
	template     string
	limit        int
	ascending    bool
	after        *position
}

// position is the last element of the page before. Elements are ordered by
// start, then id, so that what comes or goes between two pages neither hides
// nor repeats another one.
type position struct {
	started time.Time
	id      string
}

func parseListQuery(v url.Values) (*listQuery, error) {
	q := &listQuery{
		states:   []api.State{api.StateRunning, api.StatePaused},
		metadata: parseMetadata(v.Get("metadata")), template: v.Get("template"), limit: maxPage,
	}
	for _, parse := range []func(*listQuery, url.Values) error{parseStates, parseLimit, parseOrder, parseStart, parseNext} {
		if err := parse(q, v); err != nil {
			return nil, err
		}
	}
	return q, nil
}

func parseStates(q *listQuery, v url.Values) error {
	given := strings.Join(v["state"], ",")
	if given == "" {
		return nil
	}
	q.states = nil
	for name := range strings.SplitSeq(given, ",") {
		s := api.State(strings.TrimSpace(name))
		if s != api.StateRunning && s != api.StatePaused {
			return bad("state: %q is not one of running, paused", name)
		}
		q.states = append(q.states, s)
	}
	return nil
}

func parseLimit(q *listQuery, v url.Values) error {
	if !v.Has("limit") {
		return nil
	}
	n, err := strconv.Atoi(v.Get("limit"))
	if err != nil || n < 1 || n > maxPage {
		return bad("limit: want a whole number from 1 to %d, got %q", maxPage, v.Get("limit"))
	}
	q.limit = n
	return nil
}

func parseOrder(q *listQuery, v url.Values) error {
	switch order := v.Get("order"); order {
	case "", "desc":
	case "asc":
		q.ascending = true
	default:
		return bad("order: %q is not one of asc, desc", order)
	}
	return nil
}

func parseStart(q *listQuery, v url.Values) error {
	given := v.Get("startedAfter")
	if given == "" {
		return nil
	}
	t, err := time.Parse(time.RFC3339, given)
	if err != nil {
		return bad("startedAfter: %q is not a time like 2006-01-02T15:04:05Z", given)
	}
	q.startedAfter = t
	return nil
}

func parseNext(q *listQuery, v url.Values) error {
	token := v.Get("nextToken")
	if token == "" {
		return nil
	}
	raw, err := base64.RawURLEncoding.DecodeString(token)
	started, id, ok := strings.Cut(string(raw), " ")
	t, terr := time.Parse(time.RFC3339Nano, started)
	if err != nil || !ok || terr != nil {
		return bad("nextToken: not one that this server gave")
	}
	q.after = &position{started: t, id: id}
	return nil
}

// parseMetadata reads the filter: a query string inside one query value, in
// which the SDKs escape keys and values once more.
func parseMetadata(filter string) map[string]string {
	want := make(map[string]string)
	for pair := range strings.SplitSeq(filter, "&") {
		if key, value, ok := strings.Cut(pair, "="); ok {
			want[unescapeTwice(key)] = unescapeTwice(value)
		}
	}
	return want
}

func unescapeTwice(s string) string {
	once, err := url.QueryUnescape(s)
	if err != nil {
		return s
	}
	twice, err := url.PathUnescape(once)
	if err != nil {
		return once
	}
	return twice
}

func (q *listQuery) filter(all []api.ListedSandbox) []api.ListedSandbox {
	found := make([]api.ListedSandbox, 0, len(all))
	for _, s := range all {
		if q.matches(&s) {
			found = append(found, s)
		}
	}
	return found
}

func (q *listQuery) matches(s *api.ListedSandbox) bool {
	for key, value := range q.metadata {
		if got, ok := s.Metadata[key]; !ok || got != value {
			return false
		}
	}
	return slices.Contains(q.states, s.State) &&
		(q.startedAfter.IsZero() || s.StartedAt.After(q.startedAfter)) &&
		(q.template == "" || s.TemplateID == q.template)
}

// page cuts the list to the wanted page; next is "" on the last one.
func (q *listQuery) page(found []api.ListedSandbox) (page []api.ListedSandbox, next string) {
	order := newestFirst
	if q.ascending {
		order = func(a, b api.ListedSandbox) int { return newestFirst(b, a) }
	}
	slices.SortFunc(found, order)
	if q.after != nil {
		last := api.ListedSandbox{StartedAt: q.after.started, SandboxID: q.after.id}
		found = slices.DeleteFunc(found, func(s api.ListedSandbox) bool { return order(s, last) <= 0 })
	}
	if len(found) <= q.limit {
		return found, ""
	}
	last := found[q.limit-1]
	token := last.StartedAt.Format(time.RFC3339Nano) + " " + last.SandboxID
	return found[:q.limit], base64.RawURLEncoding.EncodeToString([]byte(token))
}

func newestFirst(a, b api.ListedSandbox) int {
	if c := b.StartedAt.Compare(a.StartedAt); c != 0 {
		return c
	}
	return strings.Compare(b.SandboxID, a.SandboxID)
}
