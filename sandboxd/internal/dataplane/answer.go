package dataplane

import (
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"regexp"
	"sync"
)

// answer is what the proxy itself says to a request, instead of the sandbox.
// Port is present exactly when the sandbox lives and the port is closed: a
// client tells the two kinds of 502 apart by it.
type answer struct {
	SandboxID string `json:"sandboxId"`
	Message   string `json:"message"`
	Port      int    `json:"port,omitempty"`
	Code      int    `json:"code"`
}

func notFound(t Target) answer {
	return answer{SandboxID: t.ID, Message: "The sandbox was not found", Code: http.StatusBadGateway}
}

func portClosed(t Target) answer {
	return answer{
		SandboxID: t.ID, Message: "The sandbox is running but port is not open",
		Port: t.Port, Code: http.StatusBadGateway,
	}
}

func inTransition(t Target) answer {
	return answer{SandboxID: t.ID, Message: "The sandbox is being paused or resumed", Code: http.StatusConflict}
}

func tokenRefused(t Target, what, header string, given bool) answer {
	state := "missing"
	if given {
		state = "invalid"
	}
	return answer{
		SandboxID: t.ID, Code: http.StatusForbidden,
		Message: fmt.Sprintf("Sandbox is secured with %s. Token header '%s' is %s", what, header, state),
	}
}

var browser = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)mozilla|chrome|safari|firefox|edge|opera|msie`) })

// write sends the answer: a page to a browser, JSON to everybody else.
func (a answer) write(w http.ResponseWriter, r *http.Request) {
	if r.ProtoMajor == 1 && r.ContentLength != 0 {
		// The body may be left half read, and the connection closed for it. A
		// client that is not told sends its next request into the void.
		w.Header().Set("Connection", "close")
	}
	if browser().MatchString(r.UserAgent()) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.WriteHeader(a.Code)
		fmt.Fprintf(w, page, html.EscapeString(a.Message), html.EscapeString(a.Message), html.EscapeString(a.SandboxID))
		return
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(a.Code)
	// The status is out; whoever hangs up now has lost interest.
	_ = json.NewEncoder(w).Encode(a)
}

const page = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>%s</title></head>
<body><h1>%s</h1><p>Sandbox <code>%s</code></p></body></html>
`
