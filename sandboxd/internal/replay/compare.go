package replay

import (
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strings"
)

// Difference is one place where an answer is not the recorded one.
type Difference struct {
	Case  string
	Where string // "status", a header in lower case, or a part of the body
	Want  any
	Got   any
}

// String implements fmt.Stringer.
func (d Difference) String() string {
	return fmt.Sprintf("%s: %s\n want %s\n got  %s", d.Case, d.Where, shown(d.Want), shown(d.Got))
}

// shown is a value, cut where it would fill the screen.
func shown(v any) string {
	const most = 600
	text := fmt.Sprintf("%q", fmt.Sprint(v))
	if len(text) > most {
		text = text[:most] + "…"
	}
	return text
}

// compared are the headers that say something about the answer. Others tell
// about the transport or about who may read it.
var compared = []string{
	"Content-Type", "Content-Encoding", "Content-Range", "Accept-Ranges", "Content-Disposition",
	"Connect-Content-Encoding", "Accept-Post", "Allow", "X-Envd-Version",
}

// Compare tells where an ended answer differs from the recorded one.
func Compare(c *Capture, a *Answer) []Difference {
	var found []Difference
	note := func(where string, want, got any) {
		if !reflect.DeepEqual(want, got) {
			found = append(found, Difference{Case: c.Name, Where: where, Want: want, Got: got})
		}
	}
	note("status", c.Response.Status, a.Status)
	recorded := header(c.Response.Headers)
	for _, name := range compared {
		note(strings.ToLower(name), listed(recorded.Get(name)), listed(a.Header.Get(name)))
	}
	if c.DecodedNote != "" {
		note("body", c.Response.Body, a.Body())
		return found
	}
	body, err := decode(c, a.Header, a.Body())
	if err != nil {
		return append(found, Difference{Case: c.Name, Where: "body", Want: c.Decoded, Got: err})
	}
	compareParts(c.normalise(c.Decoded), c.normalise(body), note)
	return found
}

func compareParts(want, got parts, note func(where string, want, got any)) {
	names := maps.Clone(want)
	maps.Copy(names, got)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if name == "keepalives" && closeEnough(want[name], got[name]) {
			continue
		}
		note(name, want[name], got[name])
	}
}

// closeEnough allows one keepalive more or less.
func closeEnough(want, got any) bool {
	more := len(join(want, "")) - len(join(got, ""))
	return -1 <= more && more <= 1
}

func header(recorded map[string]string) http.Header {
	h := http.Header{}
	for name, value := range recorded {
		h.Set(name, value)
	}
	return h
}

// listed makes the order of a comma-separated header irrelevant.
func listed(value string) string {
	items := strings.Split(value, ", ")
	slices.Sort(items)
	return strings.Join(items, ", ")
}

// equalBody tells that an answer has the recorded body; it is for waiting.
func equalBody(c *Capture, body any) bool {
	same := true
	compareParts(c.normalise(c.Decoded), c.normalise(body), func(_ string, want, got any) {
		same = same && reflect.DeepEqual(want, got)
	})
	return same
}

// chunkLimits are the largest data events of a stream (envd contract).
var chunkLimits = map[string]int{"stdout": 32 << 10, "stderr": 32 << 10, "pty": 16 << 10}

// CheckStream tells what is wrong with the order or the size of the frames of
// a process stream, whatever was recorded: start first, output before the end.
func CheckStream(c *Capture, a *Answer) error {
	if !c.streams() || !strings.HasPrefix(c.Request.Path, "/process.Process/") {
		return nil
	}
	body, err := decode(c, a.Header, a.Body())
	if err != nil {
		return err
	}
	list, _ := body.([]any)
	over := false
	for i, frame := range list {
		stream, data := outputOf(frame)
		if stream != "" && (i == 0 || over || len(data) > chunkLimits[stream]) {
			return fmt.Errorf("frame %d: %d bytes of %s, over=%v", i, len(data), stream, over)
		}
		over = over || len(values(frame, "/json/event/end")) > 0
	}
	return nil
}
