package sandboxclient

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"github.com/agentsandbox/agent-sandbox/sandboxclient/envd/process"
)

// output is a message of output alone, as the generated code makes it.
func output(kind outputKind, data []byte) *process.StartResponse {
	d := &process.ProcessEvent_DataEvent{}
	switch kind {
	case outputStderr:
		d.Output = &process.ProcessEvent_DataEvent_Stderr{Stderr: data}
	case outputPTY:
		d.Output = &process.ProcessEvent_DataEvent_Pty{Pty: data}
	default:
		d.Output = &process.ProcessEvent_DataEvent_Stdout{Stdout: data}
	}
	return &process.StartResponse{Event: &process.ProcessEvent{Event: &process.ProcessEvent_Data{Data: d}}}
}

func TestFramesEnd(t *testing.T) {
	t.Parallel()
	whole := frame([]byte("abc"))
	for name, test := range map[string]struct {
		in   string
		want error
	}{
		"nothing":          {"", io.EOF},
		"whole":            {string(whole), io.EOF},
		"in the header":    {string(whole) + "\x00\x00", io.ErrUnexpectedEOF},
		"after the header": {string(whole) + "\x00\x00\x00\x00\x03", io.ErrUnexpectedEOF},
		"in the payload":   {string(whole[:7]), io.ErrUnexpectedEOF},
	} {
		f := frameReader{r: strings.NewReader(test.in)}
		err := error(nil)
		for err == nil {
			_, _, err = f.next()
		}
		if err != test.want { //nolint:errorlint // exact
			t.Errorf("%s: %v, want %v", name, err, test.want)
		}
	}
	f := frameReader{r: strings.NewReader("\x00\xff\xff\xff\xffx")}
	if _, _, err := f.next(); err == nil || errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("a frame of 4 GiB: %v", err)
	}
}

func TestOutputInAnyWhiteSpace(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`{"event":{"data":{"stdout":"aGk="}}}`, `{ "event" : { "data": {  "stdout"  :"aGk=" } } }`,
		"{\n\"event\":\t{\"data\":{\"stdout\":\"aGk=\"}}\n}", `{"event":{"data":{"stdout":"aGk\u003d"}}}`,
		`{"unknown":1,"event":{"data":{"stdout":"aGk="}}}`, `{"event":{"data":{"stdout":"aGk="},"unknown":{}}}`,
	} {
		d := eventDecoder{json: true}
		if e, err := d.decode([]byte(text)); err != nil || e.kind != outputStdout || string(e.data) != "hi" {
			t.Errorf("%s: %+v, %v", text, e, err)
		}
	}
}

// What the short cut finds is what the generated code finds, in both codecs.
func FuzzEvents(f *testing.F) {
	message, err := proto.Marshal(output(outputStdout, []byte("hi")))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(message)
	f.Add([]byte(`{"event":{"data":{"stdout":"aGk="}}}`))
	f.Add([]byte(`{"event":{"end":{"exited":true}}}`))
	f.Fuzz(func(t *testing.T, payload []byte) {
		for _, useJSON := range []bool{false, true} {
			unmarshal := proto.Unmarshal
			if useJSON {
				unmarshal = protojson.UnmarshalOptions{DiscardUnknown: true}.Unmarshal
			}
			d := eventDecoder{json: useJSON}
			got, err := d.decode(payload)
			var want process.StartResponse
			if wantErr := unmarshal(payload, &want); wantErr != nil {
				continue // the short cut may be more tolerant
			}
			kind, data := outputOf(want.GetEvent().GetData())
			if err != nil || got.kind != kind || !bytes.Equal(got.data, data) {
				t.Errorf("%q: %v %q, %v, want %v %q", payload, got.kind, got.data, err, kind, data)
			}
		}
	})
}

// Frames come back as they were written, and garbage neither hangs nor crashes.
func FuzzFrames(f *testing.F) {
	f.Add([]byte("abc"), []byte("\x02\x00\x00\x00\x02{}"))
	f.Add([]byte(""), []byte("\xff\xff\xff\xff\xff"))
	f.Fuzz(func(t *testing.T, payload, rest []byte) {
		r := frameReader{r: bytes.NewReader(append(frame(payload), rest...))}
		flags, got, err := r.next()
		if err != nil || flags != 0 || !bytes.Equal(got, payload) {
			t.Fatalf("%d %q, %v, want %q", flags, got, err, payload)
		}
		for range len(rest) + 1 {
			if flags, got, err = r.next(); err != nil {
				return
			}
			if flags&frameEnd != 0 {
				_ = endError(got)
			}
		}
		t.Error("the stream does not end")
	})
}
