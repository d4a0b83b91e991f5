package control

import (
	"context"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/agentsandbox/agent-sandbox/sandboxclient/api"
	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/lifecycle"
)

// maxSamples bounds what is kept of one sandbox; the oldest go first.
const maxSamples = 360

// samples keeps the measurements of the living. A sandbox is measured when
// somebody asks: nothing runs for those nobody asks about.
type samples struct {
	mu   sync.Mutex
	byID map[string][]api.SandboxMetric
}

func newSamples() *samples { return &samples{byID: make(map[string][]api.SandboxMetric)} }

// add keeps a measurement, and returns all of that sandbox. Those of
// sandboxes that alive does not know are dropped.
func (s *samples) add(id string, m api.SandboxMetric, alive func(id string) bool) []api.SandboxMetric {
	s.mu.Lock()
	defer s.mu.Unlock()
	maps.DeleteFunc(s.byID, func(id string, _ []api.SandboxMetric) bool { return !alive(id) })
	kept := append(s.byID[id], m)
	s.byID[id] = kept[max(len(kept)-maxSamples, 0):]
	return slices.Clone(s.byID[id])
}

func (h *Handler) metrics(w http.ResponseWriter, r *http.Request) error {
	s, err := h.sandbox(r)
	if err != nil {
		return err
	}
	from, err := unixParam(r, "start")
	if err != nil {
		return err
	}
	to, err := unixParam(r, "end")
	if err != nil {
		return err
	}
	list, err := h.measure(r.Context(), s)
	if err != nil {
		return err
	}
	list = slices.DeleteFunc(list, func(m api.SandboxMetric) bool {
		return m.TimestampUnix < from || to > 0 && m.TimestampUnix > to
	})
	writeJSON(w, http.StatusOK, list)
	return nil
}

// metricsOfMany answers the latest measurement of each; ids that do not exist
// are left out.
func (h *Handler) metricsOfMany(w http.ResponseWriter, r *http.Request) error {
	ids := strings.FieldsFunc(strings.Join(r.URL.Query()["sandbox_ids"], ","), func(c rune) bool { return c == ',' })
	if len(ids) == 0 || len(ids) > maxPage {
		return bad("sandbox_ids: want 1 to %d ids", maxPage)
	}
	answer := api.SandboxMetrics{Sandboxes: make(map[string]api.SandboxMetric)}
	for _, id := range ids {
		s, err := h.cfg.Manager.Get(id)
		if err != nil {
			continue
		}
		list, err := h.measure(r.Context(), s)
		if err != nil {
			return err
		}
		if len(list) > 0 {
			answer.Sandboxes[id] = list[len(list)-1]
		}
	}
	writeJSON(w, http.StatusOK, answer)
	return nil
}

// measure takes a measurement of a running sandbox, and returns all that are
// kept of it.
func (h *Handler) measure(ctx context.Context, s *lifecycle.Sandbox) ([]api.SandboxMetric, error) {
	m, err := h.cfg.Sample(ctx, s)
	if err != nil {
		return nil, aboutSandbox(s.ID, err)
	}
	return h.samples.add(s.ID, m, func(id string) bool {
		_, err := h.cfg.Manager.Get(id)
		return err == nil
	}), nil
}

// unixParam reads seconds since 1970; 0 when absent.
func unixParam(r *http.Request, name string) (int64, error) {
	given := r.URL.Query().Get(name)
	if given == "" {
		return 0, nil
	}
	n, err := strconv.ParseInt(given, 10, 64)
	if err != nil {
		return 0, bad("%s: want seconds since 1970, got %q", name, given)
	}
	return n, nil
}
