package sandboxclient

import (
	"encoding/json"

	"github.com/agentsandbox/agent-sandbox/sandboxclient/api"
)

// Execution is how a piece of code ended.
type Execution struct {
	Stdout, Stderr Output
	// Results are the displayed values in order; the value of the last
	// expression has IsMain.
	Results []*CodeResult
	// Error is the exception that ended the code, nil when there was none.
	Error *ExecutionError
	// ExecutionCount counts the executions of the context from 1; 0 when the
	// kernel died.
	ExecutionCount int
	// TimedOut: CodeOptions.Timeout came first.
	TimedOut bool
	// Restarted: after a timeout or a cancelled context, the context was
	// restarted, so it is free, and its variables are lost. False then means
	// that it may still be busy.
	Restarted bool
	// DroppedLines counts results above the size limit that were left out.
	DroppedLines int
}

// ExecutionError is an exception in the code, or the end of its kernel: Name
// is then "ContextRestarting", "ExecutionAborted", "WebSocketError" or
// "UnexpectedEndOfExecution".
type ExecutionError struct {
	Name, Value, Traceback string
}

// Error gives name and value.
func (e *ExecutionError) Error() string { return e.Name + ": " + e.Value }

// CodeResult is one value in the representations that the kernel made of it;
// those it did not make are empty.
type CodeResult struct {
	IsMain                                       bool
	Text, HTML, Markdown, SVG, LaTeX, JavaScript string
	PNG, JPEG, PDF                               string // base64
	JSON                                         json.RawMessage
	// Data are the values of a table, Chart those of a figure.
	Data, Chart json.RawMessage
	// Extra holds other representations by media type.
	Extra map[string]json.RawMessage
}

func newCodeResult(line *api.Line) *CodeResult {
	r := &CodeResult{
		IsMain: line.IsMainResult, HTML: line.HTML, Markdown: line.Markdown, SVG: line.SVG, LaTeX: line.LaTeX,
		JavaScript: line.JavaScript, PNG: line.PNG, JPEG: line.JPEG, PDF: line.PDF,
		JSON: line.JSON, Data: line.Data, Chart: line.Chart, Extra: line.Extra,
	}
	if line.Text != nil {
		r.Text = *line.Text
	}
	return r
}

// Formats names the representations that are there, such as "text", "png".
func (r *CodeResult) Formats() []string {
	var names []string
	for _, f := range []struct {
		name  string
		there bool
	}{
		{"text", r.Text != ""}, {"html", r.HTML != ""}, {"markdown", r.Markdown != ""}, {"svg", r.SVG != ""},
		{"png", r.PNG != ""}, {"jpeg", r.JPEG != ""}, {"pdf", r.PDF != ""}, {"latex", r.LaTeX != ""},
		{"json", len(r.JSON) > 0}, {"javascript", r.JavaScript != ""}, {"data", len(r.Data) > 0}, {"chart", len(r.Chart) > 0},
	} {
		if f.there {
			names = append(names, f.name)
		}
	}
	for name := range r.Extra {
		names = append(names, name)
	}
	return names
}
