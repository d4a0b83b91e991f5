package interpreter

import (
	"encoding/json"
	"strings"
	"time"
)

// The lines of an /execute answer. Source of fields: the interpreter's wire
// contract.
type (
	countLine struct {
		Type  string `json:"type"`
		Count int    `json:"execution_count"`
	}
	outputLine struct {
		Type      string `json:"type"` // stdout or stderr
		Text      string `json:"text"`
		Timestamp string `json:"timestamp"` // ISO 8601, UTC
	}
	errorLine struct {
		Type      string `json:"type"`
		Name      string `json:"name"`
		Value     string `json:"value"`
		Traceback string `json:"traceback"`
	}
	// bareLine is keepalive or end_of_execution.
	bareLine struct {
		Type string `json:"type"`
	}
)

func newOutputLine(stream, text string) outputLine {
	return outputLine{Type: stream, Text: text, Timestamp: time.Now().UTC().Format("2006-01-02T15:04:05.000000+00:00")}
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

func resultLine(data map[string]json.RawMessage, isMain bool) map[string]any {
	extra := map[string]json.RawMessage{}
	line := map[string]any{"type": "result", "is_main_result": isMain, "extra": extra}
	for mediaType, value := range data {
		field, known := resultFields[mediaType]
		if !known {
			extra[mediaType] = value
			continue
		}
		line[field] = value
	}
	if text, ok := line["text"].(json.RawMessage); ok {
		line["text"] = unquoted(text)
	}
	return line
}

// unquoted takes one pair of enclosing quotes off a text and leaves escapes in
// it alone, as the hosted service does to show a string without its quotes.
func unquoted(raw json.RawMessage) any {
	var text string
	if json.Unmarshal(raw, &text) != nil {
		return raw
	}
	for _, quote := range []string{"'", `"`} {
		if len(text) >= 2 && strings.HasPrefix(text, quote) && strings.HasSuffix(text, quote) {
			return text[1 : len(text)-1]
		}
	}
	return text
}
