package api

import "encoding/json"

// ExecuteRequest is the body of POST /execute. A request names a context or a
// language, never both; one that names neither can hang after a restart.
type ExecuteRequest struct {
	Code      string            `json:"code"`
	ContextID string            `json:"context_id,omitempty"`
	Language  string            `json:"language,omitempty"`
	EnvVars   map[string]string `json:"env_vars,omitempty"`
}

// LineType tells the lines of an execution apart. Unknown ones are skipped.
type LineType string

// The line types of POST /execute.
const (
	LineExecutions LineType = "number_of_executions"
	LineStdout     LineType = "stdout"
	LineStderr     LineType = "stderr"
	LineResult     LineType = "result"
	LineError      LineType = "error"
	LineKeepalive  LineType = "keepalive"
	// LineEnd is the last line of every completed execution; an answer that
	// stops before it is broken.
	LineEnd LineType = "end_of_execution"
)

// Line is one line of the answer to POST /execute. Which fields are set
// depends on Type.
type Line struct {
	Type           LineType `json:"type"`
	ExecutionCount int      `json:"execution_count,omitempty"`
	// Timestamp of stdout and stderr, ISO 8601.
	Timestamp string `json:"timestamp,omitempty"`
	// Text is the chunk of stdout and stderr, or the plain text of a result.
	Text *string `json:"text,omitempty"`

	// Error lines.
	Name      string `json:"name,omitempty"`
	Value     string `json:"value,omitempty"`
	Traceback string `json:"traceback,omitempty"`

	// Result lines: one value in several representations. PNG, JPEG and PDF
	// are base64.
	IsMainResult bool                       `json:"is_main_result,omitempty"`
	HTML         string                     `json:"html,omitempty"`
	Markdown     string                     `json:"markdown,omitempty"`
	SVG          string                     `json:"svg,omitempty"`
	PNG          string                     `json:"png,omitempty"`
	JPEG         string                     `json:"jpeg,omitempty"`
	PDF          string                     `json:"pdf,omitempty"`
	LaTeX        string                     `json:"latex,omitempty"`
	JSON         json.RawMessage            `json:"json,omitempty"`
	JavaScript   string                     `json:"javascript,omitempty"`
	Data         json.RawMessage            `json:"data,omitempty"`
	Chart        json.RawMessage            `json:"chart,omitempty"`
	Extra        map[string]json.RawMessage `json:"extra,omitempty"`
}

// CodeContext is one context (kernel) of the interpreter.
type CodeContext struct {
	ID       string `json:"id"`
	Language string `json:"language"`
	Cwd      string `json:"cwd"`
}

// NewCodeContext is the body of POST /contexts.
type NewCodeContext struct {
	Language string `json:"language,omitempty"`
	Cwd      string `json:"cwd,omitempty"`
}

// WrittenFile is one element of the answer to POST /files, which is JSON sent
// as text/plain.
type WrittenFile struct {
	Name     string            `json:"name"`
	Path     string            `json:"path"`
	Type     string            `json:"type"`
	Metadata map[string]string `json:"metadata,omitempty"`
}
