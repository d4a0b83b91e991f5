package mcpserver

import (
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// metrics are what an operator watches. Labels are bounded: tools and outcomes
// are closed lists, and nothing names a caller, a session or a sandbox.
type metrics struct {
	registry  *prometheus.Registry
	calls     *prometheus.CounterVec   // by tool and outcome
	seconds   *prometheus.HistogramVec // by tool
	created   prometheus.Counter
	destroyed prometheus.Counter
	lost      prometheus.Counter // ended by their timeout or from outside
	alive     prometheus.Gauge
}

// callBuckets are seconds: from an answer out of memory to a long build.
var callBuckets = []float64{.005, .02, .1, .5, 1, 5, 15, 60, 300, 1800}

func newMetrics() *metrics {
	m := &metrics{
		registry: prometheus.NewRegistry(),
		calls: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "abx_tool_calls_total", Help: "Tool calls by outcome: ok, or the code of the error.",
		}, []string{"tool", "outcome"}),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "abx_tool_call_seconds", Help: "How long tool calls took.", Buckets: callBuckets,
		}, []string{"tool"}),
		created:   prometheus.NewCounter(prometheus.CounterOpts{Name: "abx_sandboxes_created_total", Help: "Sandboxes made."}),
		destroyed: prometheus.NewCounter(prometheus.CounterOpts{Name: "abx_sandboxes_destroyed_total", Help: "Sandboxes destroyed by this server."}),
		lost:      prometheus.NewCounter(prometheus.CounterOpts{Name: "abx_sandboxes_lost_total", Help: "Sandboxes that expired or were ended from outside."}),
		alive:     prometheus.NewGauge(prometheus.GaugeOpts{Name: "abx_sandboxes_alive", Help: "Sandboxes made by this server that are not known to have ended."}),
	}
	m.registry.MustRegister(m.calls, m.seconds, m.created, m.destroyed, m.lost, m.alive)
	return m
}

// watchSessions adds a gauge that asks for the number of open HTTP sessions.
func (m *metrics) watchSessions(count func() int) {
	_ = m.registry.Register(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "abx_sessions", Help: "MCP sessions that are open over HTTP.",
	}, func() float64 { return float64(count()) })) // a second handler of the same server keeps the first one's gauge
}

// called records a call. outcome is "ok" or an error code.
func (m *metrics) called(tool, outcome string, took time.Duration) {
	m.calls.WithLabelValues(tool, outcome).Inc()
	m.seconds.WithLabelValues(tool).Observe(took.Seconds())
}

func (m *metrics) handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{})
}
