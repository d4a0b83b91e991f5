package fctest

import (
	"net/http"
	"slices"
	"sync"
	"time"
)

// Fault is a failure that the emulator shows instead of its answer.
type Fault struct {
	Action   string // such as CreateFunction; "" for any
	Times    int    // how often; 0 means once
	Status   int
	Code     string        // with Message, FC's JSON error body
	Message  string        // see Code
	Body     string        // instead of the JSON body, for example a gateway's HTML page
	Delay    time.Duration // before the answer
	Executed bool          // the call took effect and only its answer is lost
}

// Throttled is a 429, as FC answers too many calls.
func Throttled(action string) Fault {
	return Fault{Action: action, Status: http.StatusTooManyRequests, Code: "Throttling", Message: "Request was denied due to request throttling."}
}

// Unavailable is a 503 of the service itself.
func Unavailable(action string) Fault {
	return Fault{Action: action, Status: http.StatusServiceUnavailable, Code: "ServiceUnavailable", Message: "The service is unavailable."}
}

// BadGateway is a gateway's HTML page.
func BadGateway(action string) Fault {
	return Fault{Action: action, Status: http.StatusBadGateway, Body: "<html><head><title>502 Bad Gateway</title></head></html>"}
}

// EmptyError is a 500 without a body.
func EmptyError(action string) Fault {
	return Fault{Action: action, Status: http.StatusInternalServerError, Body: " "}
}

// AccessDenied is what a RAM policy that lacks the action leads to.
func AccessDenied(action string) Fault {
	return Fault{Action: action, Status: http.StatusForbidden, Code: "AccessDenied", Message: "the caller is not authorized to perform 'fc:" + action + "'"}
}

// Inject queues a fault for the next call of its action.
func (s *Server) Inject(f Fault) { s.faults.add(f) }

type faults struct {
	mu    sync.Mutex
	queue []Fault
}

func (q *faults) add(f Fault) {
	setDefault(&f.Times, 1)
	q.mu.Lock()
	defer q.mu.Unlock()
	q.queue = append(q.queue, f)
}

func (q *faults) take(action string) *Fault {
	q.mu.Lock()
	defer q.mu.Unlock()
	for i := range q.queue {
		if f := &q.queue[i]; f.Action == "" || f.Action == action {
			taken := *f
			if f.Times--; f.Times == 0 {
				q.queue = slices.Delete(q.queue, i, i+1)
			}
			return &taken
		}
	}
	return nil
}

func (f *Fault) write(w http.ResponseWriter) {
	time.Sleep(f.Delay)
	if f.Body == "" {
		(&apiError{status: f.Status, code: f.Code, message: f.Message}).write(w)
		return
	}
	w.Header().Set("Content-Type", "text/html")
	w.WriteHeader(f.Status)
	if f.Body != " " {
		_, _ = w.Write([]byte(f.Body)) // the caller may have gone
	}
}
