package control_test

import (
	"net/url"
	"slices"
	"testing"

	"github.com/agentsandbox/agent-sandbox/sandboxclient/api"
	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/profile"
)

func (w *world) list(path string, query url.Values) (ids []string, next string) {
	w.t.Helper()
	res := w.call("GET", path+"?"+query.Encode(), nil)
	if res.Code != 200 {
		w.t.Fatalf("list %s answered %d %q", query.Encode(), res.Code, res.Body)
	}
	var found []api.ListedSandbox
	res.into(&found)
	for _, s := range found {
		ids = append(ids, s.SandboxID)
	}
	return ids, res.Header().Get("X-Next-Token")
}

func TestPages(t *testing.T) {
	t.Parallel()
	w := newWorld(t, profile.E2B, 0)
	var made []string
	for range 5 {
		made = append(made, w.create(nil).SandboxID)
	}
	for order, want := range map[string][]string{"asc": made, "desc": reversed(made)} {
		var got []string
		query := url.Values{"order": {order}, "limit": {"2"}}
		for pages := 0; ; pages++ {
			ids, next := w.list("/v2/sandboxes", query)
			got = append(got, ids...)
			if next == "" {
				if pages != 2 {
					t.Errorf("%s: %d pages, want 3", order, pages+1)
				}
				break
			}
			query.Set("nextToken", next)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", order, got, want)
		}
	}
}

// A sandbox that ends between two pages neither hides nor repeats another.
func TestPagesWhileSandboxesEnd(t *testing.T) {
	t.Parallel()
	w := newWorld(t, profile.E2B, 0)
	var made []string
	for range 4 {
		made = append(made, w.create(nil).SandboxID)
	}
	first, next := w.list("/v2/sandboxes", url.Values{"limit": {"2"}, "order": {"asc"}})
	w.call("DELETE", "/sandboxes/"+made[1], nil)
	second, _ := w.list("/v2/sandboxes", url.Values{"limit": {"2"}, "order": {"asc"}, "nextToken": {next}})
	if got := append(first, second...); !slices.Equal(got, made) {
		t.Errorf("got %q, want %q", got, made)
	}
}

func reversed(s []string) []string {
	s = slices.Clone(s)
	slices.Reverse(s)
	return s
}

func TestFilters(t *testing.T) {
	t.Parallel()
	w := newWorld(t, profile.E2B, 0)
	plain := w.create(map[string]any{"metadata": map[string]string{"user": "abc", "app": "prod"}}).SandboxID
	odd := w.create(map[string]any{"metadata": map[string]string{"user": "a&b=c d/é+%"}, "templateID": "code-interpreter-v1"}).SandboxID
	w.call("POST", "/sandboxes/"+odd+"/pause", nil)
	for what, c := range map[string]struct {
		query url.Values
		want  []string
	}{
		"nothing":         {nil, []string{odd, plain}},
		"both pairs":      {url.Values{"metadata": {"user=abc&app=prod"}}, []string{plain}},
		"one is wrong":    {url.Values{"metadata": {"user=abc&app=test"}}, nil},
		"escaped twice":   {url.Values{"metadata": {"user=" + url.QueryEscape(url.PathEscape("a&b=c d/é+%"))}}, []string{odd}},
		"running":         {url.Values{"state": {"running"}}, []string{plain}},
		"paused":          {url.Values{"state": {"paused"}}, []string{odd}},
		"either":          {url.Values{"state": {"paused,running"}}, []string{odd, plain}},
		"template":        {url.Values{"template": {"base"}}, []string{plain}},
		"since long ago":  {url.Values{"startedAfter": {"2020-01-01T00:00:00Z"}}, []string{odd, plain}},
		"since next year": {url.Values{"startedAfter": {"2999-01-01T00:00:00Z"}}, nil},
	} {
		if got, _ := w.list("/v2/sandboxes", c.query); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q, want %q", what, got, c.want)
		}
	}
	if got, _ := w.list("/sandboxes", nil); !slices.Equal(got, []string{plain}) {
		t.Errorf("the older list: got %q, want the running one", got)
	}
	if got := w.call("GET", "/v2/sandboxes?state=paused", nil).Header().Get("X-Total-Running"); got != "1" {
		t.Errorf("X-Total-Running is %q, want 1", got)
	}
}

func TestListRefuses(t *testing.T) {
	t.Parallel()
	w := newWorld(t, profile.E2B, 0)
	for query, message := range map[string]string{
		"limit=0":            `limit: want a whole number from 1 to 100, got "0"`,
		"limit=101":          `limit: want a whole number from 1 to 100, got "101"`,
		"limit=many":         `limit: want a whole number from 1 to 100, got "many"`,
		"order=up":           `order: "up" is not one of asc, desc`,
		"state=dead":         `state: "dead" is not one of running, paused`,
		"startedAfter=today": `startedAfter: "today" is not a time like 2006-01-02T15:04:05Z`,
		"nextToken=%21":      "nextToken: not one that this server gave",
		"nextToken=YWJj":     "nextToken: not one that this server gave",
	} {
		w.call("GET", "/v2/sandboxes?"+query, nil).is(query, 400, message)
	}
}
