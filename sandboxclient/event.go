package sandboxclient

import (
	"bytes"
	"encoding/base64"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

	"github.com/agentsandbox/agent-sandbox/sandboxclient/envd/process"
)

// outputKind is the stream that a piece of output belongs to. The values are
// the field numbers of process.ProcessEvent_DataEvent.
type outputKind protowire.Number

const (
	outputStdout outputKind = 1
	outputStderr outputKind = 2
	outputPTY    outputKind = 3
)

// eventDecoder decodes StartResponse and ConnectResponse, which are the same on
// the wire. Output, of which there may be gigabytes, is found by hand and not
// copied; everything else goes through the generated types.
type eventDecoder struct {
	json   bool
	buffer []byte // of base64 that was decoded
}

// event is one event of a process: output, or what event holds. Data is valid
// until the next frame is read.
type event struct {
	kind  outputKind // 0: no output
	data  []byte
	event *process.ProcessEvent
}

func (d *eventDecoder) decode(payload []byte) (event, error) {
	find, unmarshal := findOutput, proto.Unmarshal
	if d.json {
		find, unmarshal = d.findOutputJSON, protojson.UnmarshalOptions{DiscardUnknown: true}.Unmarshal
	}
	if kind, data, ok := find(payload); ok {
		return event{kind: kind, data: data}, nil
	}
	var message process.StartResponse
	if err := unmarshal(payload, &message); err != nil {
		return event{}, err
	}
	e := event{event: message.GetEvent()}
	e.kind, e.data = outputOf(e.event.GetData())
	return e, nil
}

func outputOf(data *process.ProcessEvent_DataEvent) (outputKind, []byte) {
	switch out := data.GetOutput().(type) {
	case *process.ProcessEvent_DataEvent_Stdout:
		return outputStdout, out.Stdout
	case *process.ProcessEvent_DataEvent_Stderr:
		return outputStderr, out.Stderr
	case *process.ProcessEvent_DataEvent_Pty:
		return outputPTY, out.Pty
	default:
		return 0, nil
	}
}

// findOutput takes a message of nothing but output apart: three nested fields
// of bytes, each filling its parent. The numbers are StartResponse.event,
// ProcessEvent.data, and an outputKind.
func findOutput(payload []byte) (outputKind, []byte, bool) {
	number, inner, ok := onlyField(payload)
	if !ok || number != 1 {
		return 0, nil, false
	}
	if number, inner, ok = onlyField(inner); !ok || number != 2 {
		return 0, nil, false
	}
	number, data, ok := onlyField(inner)
	return outputKind(number), data, ok && number >= 1 && number <= 3
}

// onlyField gives the content of a message that has one field of bytes.
func onlyField(message []byte) (protowire.Number, []byte, bool) {
	number, kind, n := protowire.ConsumeTag(message)
	if n < 0 || kind != protowire.BytesType {
		return 0, nil, false
	}
	content, m := protowire.ConsumeBytes(message[n:])
	return number, content, m >= 0 && n+m == len(message)
}

var outputNames = map[string]outputKind{"stdout": outputStdout, "stderr": outputStderr, "pty": outputPTY}

// findOutputJSON is findOutput for {"event":{"data":{"stdout":"base64"}}} with
// any white space; whatever looks different is left to protojson.
func (d *eventDecoder) findOutputJSON(payload []byte) (outputKind, []byte, bool) {
	rest, ok := jsonMember(payload, "event")
	if !ok {
		return 0, nil, false
	}
	if rest, ok = jsonMember(rest, "data"); !ok {
		return 0, nil, false
	}
	for name, kind := range outputNames {
		value, ok := jsonMember(rest, name)
		if !ok || len(value) == 0 || value[0] != '"' {
			continue
		}
		text, after, closed := bytes.Cut(value[1:], []byte{'"'})
		if !closed || string(bytes.Join(bytes.Fields(after), nil)) != "}}}" {
			return 0, nil, false
		}
		if n := base64.StdEncoding.DecodedLen(len(text)); n > cap(d.buffer) {
			d.buffer = make([]byte, n)
		}
		n, err := base64.StdEncoding.Decode(d.buffer[:cap(d.buffer)], text)
		return kind, d.buffer[:n], err == nil
	}
	return 0, nil, false
}

// jsonMember gives what follows {"name": in text.
func jsonMember(text []byte, name string) ([]byte, bool) {
	for _, token := range []string{"{", `"`, name, `"`, ":"} {
		if token == "{" || token == ":" {
			text = bytes.TrimLeft(text, " \t\r\n")
		}
		rest, ok := bytes.CutPrefix(text, []byte(token))
		if !ok {
			return nil, false
		}
		if text = rest; token == "{" {
			text = bytes.TrimLeft(text, " \t\r\n")
		}
	}
	return bytes.TrimLeft(text, " \t\r\n"), true
}
