package replay

import (
	"encoding/base64"
	"encoding/json"
	"regexp"
	"strings"
)

// Kinds of freedom that a capture may name.
const (
	looseChunking   = "chunking"
	looseKeepalives = "keepalive-count"
	looseEvents     = "event-details"
)

// anyValue stands for a value that differs from run to run.
const anyValue = "(any)"

// parts is a decoded body in the pieces that are compared one by one: "body"
// for most, and "frames", "stdout", "keepalives" and so on for a stream whose
// cutting is free.
type parts map[string]any

// normalise copies a decoded body, takes out what may differ and cuts it into
// parts. Recorded and new bodies go through the same.
func (c *Capture) normalise(decoded any) parts {
	doc := map[string]any{"decoded": plainSpaces(copied(decoded))}
	for _, pointer := range c.volatile() {
		edit(doc, pointer, func(any) any { return anyValue })
	}
	list, isList := doc["decoded"].([]any)
	switch {
	case isList && c.streams():
		return c.streamParts(list)
	case isList && c.lines() && c.loose(looseChunking):
		return lineParts(list)
	case c.loose(looseEvents):
		edit(doc, "/decoded/events", func(v any) any { return withoutDetails(v, "") })
	}
	return parts{"body": doc["decoded"]}
}

var index = regexp.MustCompile(`/\d+`)

// volatile are the pointers into the decoded body to what may differ. Where
// the number of elements is free they hold for every element, and the owner in
// a watch event may be the one that created the file and gave it away next.
func (c *Capture) volatile() []string {
	var pointers []string
	for _, pointer := range c.Volatile {
		if _, ok := below(pointer, "decoded"); !ok {
			continue
		}
		if c.loose(looseEvents) {
			pointer = index.ReplaceAllString(pointer, "/*")
		}
		pointers = append(pointers, pointer)
	}
	if c.loose(looseEvents) {
		pointers = append(pointers, "/decoded/events/*/entry/owner", "/decoded/events/*/entry/group")
	}
	return pointers
}

func copied(v any) any {
	text, err := json.Marshal(v)
	if err != nil {
		return v // came from JSON, so it goes back to JSON
	}
	var out any
	_ = json.Unmarshal(text, &out) // what Marshal wrote
	return out
}

// plainSpaces undoes the no-break space that the protobuf runtime puts into
// some of its messages, chosen per build.
func plainSpaces(v any) any {
	switch v := v.(type) {
	case string:
		return strings.ReplaceAll(v, "\u00a0", " ")
	case []any:
		for i := range v {
			v[i] = plainSpaces(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = plainSpaces(v[k])
		}
	}
	return v
}

func (c *Capture) streamParts(list []any) parts {
	if c.loose(looseEvents) {
		list = withoutDetails(list, "/json/filesystem").([]any)
	}
	p := parts{"frames": []any{}}
	for _, frame := range list {
		name, data := outputOf(frame)
		switch {
		case name != "" && c.loose(looseChunking):
			p[name] = join(p[name], data)
		case isKeepalive(frame) && c.loose(looseKeepalives):
			p["keepalives"] = join(p["keepalives"], ".")
		default:
			p["frames"] = append(p["frames"].([]any), frame)
		}
	}
	return p
}

func join(sofar any, more string) string {
	text, _ := sofar.(string)
	return text + more
}

// outputOf returns the stream and the bytes of a data event.
func outputOf(frame any) (stream, data string) {
	for _, name := range []string{"stdout", "stderr", "pty"} {
		for _, v := range values(frame, "/json/event/data/"+name) {
			text, _ := v.(string)
			b, err := base64.StdEncoding.DecodeString(text)
			if err == nil {
				return name, string(b)
			}
		}
	}
	return "", ""
}

func isKeepalive(frame any) bool {
	return len(values(frame, "/json/event/keepalive"))+len(values(frame, "/json/keepalive")) > 0
}

// withoutDetails drops the watch events whose number depends on how the
// writer works. at is where the event is in each element.
func withoutDetails(v any, at string) any {
	list, _ := v.([]any)
	kept := []any{}
	for _, element := range list {
		kind := values(element, at+"/type")
		if len(kind) == 1 && (kind[0] == "EVENT_TYPE_CHMOD" || kind[0] == "EVENT_TYPE_WRITE") {
			continue
		}
		kept = append(kept, element)
	}
	return kept
}

// lineParts joins the text of each output stream of the interpreter and keeps
// the other lines as they are.
func lineParts(list []any) parts {
	p := parts{"lines": []any{}}
	for _, line := range list {
		kind, text := textLine(line)
		if kind == "" {
			p["lines"] = append(p["lines"].([]any), line)
			continue
		}
		p[kind] = join(p[kind], text)
	}
	return p
}

func textLine(line any) (kind, text string) {
	fields, _ := line.(map[string]any)
	kind, _ = fields["type"].(string)
	if kind != "stdout" && kind != "stderr" {
		return "", ""
	}
	text, _ = fields["text"].(string)
	return kind, text
}
