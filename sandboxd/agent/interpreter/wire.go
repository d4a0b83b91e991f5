package interpreter

import (
	"encoding/json"
	"strings"
	"time"

	"github.com/agentsandbox/agent-sandbox/sandboxclient/api"
)

// The lines of an /execute answer as they are written: unlike in api.Line, which
// reads them, fields that are empty are there. Source of fields: the
// interpreter's wire contract.
type (
	countLine struct {
		Type  api.LineType `json:"type"`
		Count int          `json:"execution_count"`
	}
	outputLine struct {
		Type      api.LineType `json:"type"` // stdout or stderr
		Text      string       `json:"text"`
		Timestamp string       `json:"timestamp"` // ISO 8601, UTC
	}
	errorLine struct {
		Type      api.LineType `json:"type"`
		Name      string       `json:"name"`
		Value     string       `json:"value"`
		Traceback string       `json:"traceback"`
	}
	// bareLine is keepalive or end_of_execution.
	bareLine struct {
		Type api.LineType `json:"type"`
	}
)

func newOutputLine(stream, text string) outputLine {
	return outputLine{Type: api.LineType(stream), Text: text, Timestamp: time.Now().UTC().Format("2006-01-02T15:04:05.000000+00:00")}
}

// resultFields are the representations that have a field of their own in a
// result line; every other media type goes into extra.
var resultFields = map[string]string{
	"text/plain":             "text",
	"text/html":              "html",
	"text/markdown":          "markdown",
	"image/svg+xml":          "svg",
	"image/png":              "png",
	"image/jpeg":             "jpeg",
	"application/pdf":        "pdf",
	"text/latex":             "latex",
	"application/json":       "json",
	"application/javascript": "javascript",
	"e2b/data":               "data",
	"e2b/chart":              "chart",
}

// base64Fields are strings in which line ends mean nothing; some libraries put
// them there.
var base64Fields = map[string]bool{"png": true, "jpeg": true, "pdf": true}

// anyJSON are the fields whose value may be any JSON; the others are strings.
var anyJSON = map[string]bool{"json": true, "data": true, "chart": true}

func resultLine(data map[string]json.RawMessage, isMain bool) map[string]any {
	extra := map[string]json.RawMessage{}
	line := map[string]any{"type": api.LineResult, "is_main_result": isMain, "extra": extra}
	for mediaType, value := range data {
		field, known := resultFields[mediaType]
		switch {
		case !known:
			extra[mediaType] = value
		case field == "text":
			line[field] = unquoted(asString(value))
		case anyJSON[field]:
			line[field] = value
		case base64Fields[field]:
			line[field] = strings.ReplaceAll(asString(value), "\n", "")
		default:
			line[field] = asString(value)
		}
	}
	return line
}

// asString returns a string, the lines of a list of strings, as notebooks have
// them, joined, and anything else as its JSON text: code may return what it likes
// as its HTML, but no client expects a number there.
func asString(raw json.RawMessage) string {
	var text string
	var lines []string
	switch {
	case json.Unmarshal(raw, &text) == nil:
		return text
	case json.Unmarshal(raw, &lines) == nil:
		return strings.Join(lines, "")
	}
	return string(raw)
}

// unquoted takes one pair of enclosing quotes off a text and leaves escapes in
// it alone, as the hosted service does to show a string without its quotes.
func unquoted(text string) string {
	for _, quote := range []string{"'", `"`} {
		if len(text) >= 2 && strings.HasPrefix(text, quote) && strings.HasSuffix(text, quote) {
			return text[1 : len(text)-1]
		}
	}
	return text
}
