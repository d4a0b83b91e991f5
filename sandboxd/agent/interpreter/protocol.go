package interpreter

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
)

// event is one line of a driver.
type event struct {
	Type      string                     `json:"type"` // ready, started, result, error or done
	Main      bool                       `json:"main"`
	Data      map[string]json.RawMessage `json:"data"` // representations of a result by media type
	Name      string                     `json:"name"`
	Value     string                     `json:"value"`
	Traceback string                     `json:"traceback"`
}

// awaitsAck tells whether the driver waits for an acknowledgement. An event in
// place of an over-long one is acknowledged too, for that was a result.
func (e event) awaitsAck() bool { return e.Type == "result" || e.Name == nameTooLarge }

// maxEvent bounds one line of a driver in bytes. A larger result is replaced by
// an error: it would be held whole in memory by every reader on its way.
const maxEvent = 64 << 20

const nameTooLarge = "ResultTooLarge"

// eventReader cuts the bytes of descriptor 4 into events.
type eventReader struct {
	pending  []byte
	dropping bool // the rest of an over-long line is skipped
}

// feed takes the next bytes and returns the events that they complete. Lines
// that are no event are skipped, for any code may write to the descriptor.
func (r *eventReader) feed(data []byte) []event {
	var events []event
	for len(data) > 0 {
		line, rest, complete := bytes.Cut(data, []byte{'\n'})
		data = rest
		if ev, ok := r.take(line, complete); ok {
			events = append(events, ev)
		}
	}
	return events
}

func (r *eventReader) take(part []byte, complete bool) (event, bool) {
	if r.dropping {
		r.dropping = !complete
		return event{}, false
	}
	if len(r.pending)+len(part) > maxEvent {
		r.pending, r.dropping = nil, !complete
		return tooLarge(), true
	}
	r.pending = append(r.pending, part...)
	if !complete {
		return event{}, false
	}
	line := r.pending
	r.pending = nil
	return parseEvent(line)
}

func parseEvent(line []byte) (event, bool) {
	var ev event
	if err := json.Unmarshal(line, &ev); err != nil {
		return event{}, false
	}
	return ev, slices.Contains([]string{"ready", "started", "result", "error", "done"}, ev.Type)
}

func tooLarge() event {
	return event{
		Type:  "error",
		Name:  nameTooLarge,
		Value: fmt.Sprintf("the result has more than %d MiB; write it to a file instead", maxEvent>>20),
	}
}

// encodeRequest writes the request that has a driver run code with variables.
func encodeRequest(code string, variables map[string]string) []byte {
	fields := []string{code}
	for name, value := range variables {
		fields = append(fields, name, value)
	}
	var request bytes.Buffer
	request.WriteString("execute")
	for _, field := range fields {
		fmt.Fprintf(&request, " %d", len(field))
	}
	request.WriteByte('\n')
	for _, field := range fields {
		request.WriteString(field)
	}
	return request.Bytes()
}
