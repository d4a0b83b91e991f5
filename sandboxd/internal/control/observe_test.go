package control_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/agentsandbox/agent-sandbox/sandboxclient/api"
	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/profile"
)

func TestLogs(t *testing.T) {
	t.Parallel()
	w := newWorld(t, profile.E2B, 0)
	id := w.create(nil).SandboxID
	w.call("POST", "/sandboxes/"+id+"/pause", nil)
	for query, want := range map[string]string{
		"":                                      "sandbox created, sandbox paused",
		"direction=backward":                    "sandbox paused, sandbox created",
		"limit=1":                               "sandbox created",
		"search=paused":                         "sandbox paused",
		"level=error":                           "",
		"cursor=" + millis(time.Now().Add(9e9)): "",
		"cursor=0":                              "sandbox created, sandbox paused",
	} {
		var logs api.Logs
		w.call("GET", "/v2/sandboxes/"+id+"/logs?"+query, nil).into(&logs)
		var got []string
		for _, e := range logs.Logs {
			got = append(got, e.Message)
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("%s: got %q, want %q", query, got, want)
		}
	}
	var old api.LegacyLogs
	w.call("GET", "/sandboxes/"+id+"/logs", nil).into(&old)
	if len(old.Logs) != 2 || old.Logs[0].Line != "sandbox created" || len(old.LogEntries) != 2 {
		t.Errorf("the older call answered %+v", old)
	}
	w.call("GET", "/v2/sandboxes/"+id+"/logs?limit=1001", nil).is("limit", 400, `limit: want a whole number from 0 to 1000, got "1001"`)
}

func millis(t time.Time) string { return fmt.Sprint(t.UnixMilli()) }

func TestLogsOfFCAreEmpty(t *testing.T) {
	t.Parallel()
	w := newWorld(t, profile.FC, 0)
	id := w.create(nil).SandboxID
	if got := strings.TrimSpace(w.call("GET", "/v2/sandboxes/"+id+"/logs", nil).Body.String()); got != `{"logs":[]}` {
		t.Errorf("logs are %q", got)
	}
}

func TestMetrics(t *testing.T) {
	t.Parallel()
	w := newWorld(t, profile.E2B, 0)
	first, second := w.create(nil).SandboxID, w.create(nil).SandboxID
	var list []api.SandboxMetric
	w.call("GET", "/sandboxes/"+first+"/metrics", nil).into(&list)
	if len(list) != 1 || list[0].MemUsed != 7 {
		t.Errorf("metrics are %+v", list)
	}
	w.call("GET", "/sandboxes/"+first+"/metrics?start=32503680000", nil).into(&list)
	if len(list) != 0 {
		t.Errorf("metrics of the future are %+v", list)
	}
	var many api.SandboxMetrics
	w.call("GET", "/sandboxes/metrics?sandbox_ids="+first+","+second+",inobody", nil).into(&many)
	if len(many.Sandboxes) != 2 || many.Sandboxes[second].MemUsed != 7 {
		t.Errorf("metrics of many are %+v", many)
	}
	w.call("GET", "/sandboxes/metrics", nil).is("no ids", 400, "sandbox_ids: want 1 to 100 ids")
	w.call("GET", "/sandboxes/"+first+"/metrics?start=x", nil).is("start", 400, `start: want seconds since 1970, got "x"`)
}

func TestTemplates(t *testing.T) {
	t.Parallel()
	w := newWorld(t, profile.E2B, 0)
	var list []api.Template
	w.call("GET", "/templates", nil).into(&list)
	if len(list) != 2 || list[0].TemplateID != "base" || list[1].TemplateID != "code-interpreter-v1" {
		t.Errorf("templates are %+v", list)
	}
}
