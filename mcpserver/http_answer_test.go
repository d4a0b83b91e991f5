package mcpserver

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

const (
	progressEvent = "event: message\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"id\":1,\"result\":1}}\n\n"
	resultEvent   = "event: message\ndata: {\"jsonrpc\":\"2.0\",\"id\":5,\"result\":{\"method\":\"x\"}}\n\n"
)

// answered runs what an SDK handler does against an answer for request 5.
func answered(handle func(w http.ResponseWriter)) *httptest.ResponseRecorder {
	recorder := httptest.NewRecorder()
	a := newAnswer(recorder, json.RawMessage("5"), DefaultKeepAlive)
	handle(a)
	a.finish()
	return recorder
}

func stream(w http.ResponseWriter, events ...string) {
	w.Header().Set("Content-Type", "text/event-stream")
	for _, event := range events {
		_, _ = w.Write([]byte(event))
	}
}

func TestAnswerIsNeverEmpty(t *testing.T) {
	t.Parallel()
	lost := "the session ended before the call did"
	for name, tt := range map[string]struct {
		handle     func(w http.ResponseWriter)
		status     int
		want, deny string
	}{
		"nothing was written":     {func(http.ResponseWriter) {}, 404, lost, "data:"},
		"only progress":           {func(w http.ResponseWriter) { stream(w, progressEvent) }, 200, lost, ""},
		"the result":              {func(w http.ResponseWriter) { stream(w, resultEvent) }, 200, `"id":5`, lost},
		"progress and the result": {func(w http.ResponseWriter) { stream(w, progressEvent, resultEvent) }, 200, `"id":5`, lost},
		"a refusal":               {func(w http.ResponseWriter) { http.Error(w, "no", 415) }, 415, "no", lost},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := answered(tt.handle)
			if body := got.Body.String(); got.Code != tt.status || !strings.Contains(body, tt.want) || (tt.deny != "" && strings.Contains(body, tt.deny)) {
				t.Errorf("%d %q; want %d with %q and without %q", got.Code, body, tt.status, tt.want, tt.deny)
			}
		})
	}
}

// TestAnswerAfterTheFirstComment is about what the SDK does later than a second
// after the request: 200 is sent, and every answer must be an event.
func TestAnswerAfterTheFirstComment(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		late := func(do func(w http.ResponseWriter)) string {
			return answered(func(w http.ResponseWriter) { time.Sleep(20 * time.Second); do(w) }).Body.String()
		}
		const twice = ": ok\n\n: ok\n\n" // after 1 s and after 16 s
		if got, want := late(func(w http.ResponseWriter) { stream(w, resultEvent) }), twice+resultEvent; got != want {
			t.Errorf("a result came as %q, want %q", got, want)
		}
		got := late(func(w http.ResponseWriter) { http.Error(w, "not that way", 400) })
		if !strings.HasPrefix(got, twice+"event: message\ndata: {") || !strings.Contains(got, "not that way") || !strings.Contains(got, `"id":5`) {
			t.Errorf("a refusal in text came as %q", got)
		}
		got = late(func(w http.ResponseWriter) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(400)
			_, _ = w.Write([]byte(`{"jsonrpc":"2.0","id":5,"error":{"code":-32021}}`))
		})
		if want := twice + "event: message\ndata: {\"jsonrpc\":\"2.0\",\"id\":5,\"error\":{\"code\":-32021}}\n\n"; got != want {
			t.Errorf("a refusal in JSON came as %q, want %q", got, want)
		}
	})
}

func TestAnswerOwedToNobodyGetsNoComment(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		recorder := httptest.NewRecorder()
		a := newAnswer(recorder, nil, DefaultKeepAlive)
		time.Sleep(time.Minute)
		a.WriteHeader(http.StatusAccepted)
		a.finish()
		if recorder.Code != http.StatusAccepted || recorder.Body.Len() > 0 {
			t.Errorf("a notification got %d %q", recorder.Code, recorder.Body)
		}
	})
}

// TestCommentsNeverSplitAnEvent writes events while comments come as fast as
// they can; each line must be whole.
func TestCommentsNeverSplitAnEvent(t *testing.T) {
	t.Parallel()
	recorder := httptest.NewRecorder()
	a := newAnswer(recorder, json.RawMessage("5"), time.Microsecond)
	a.Header().Set("Content-Type", "text/event-stream")
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	var wg sync.WaitGroup
	wg.Go(func() {
		for i := 0; ctx.Err() == nil; i++ {
			_, _ = fmt.Fprintf(a, "event: message\ndata: {\"method\":\"%d\"}\n\n", i)
			a.Flush()
		}
	})
	wg.Wait()
	a.finish()
	for event := range strings.SplitSeq(strings.TrimSuffix(recorder.Body.String(), "\n\n"), "\n\n") {
		if event != ": ok" && !strings.HasPrefix(event, "event: message\ndata: {") {
			t.Fatalf("torn event %q", event)
		}
	}
}
