package fcdeploy

import (
	"encoding/json"
	"testing"
)

// A trigger's configuration comes from the service: comparing it must hold
// whatever it is, and every configuration equals itself.
func FuzzSameTriggerConfig(f *testing.F) {
	f.Add(`{"authType":"anonymous","methods":["GET","POST"],"disableURLInternet":false}`, `{"methods":["POST","GET"],"authType":"anonymous"}`)
	f.Add(`null`, ``)
	f.Fuzz(func(t *testing.T, a, b string) {
		if sameTriggerConfig(a, b) != sameTriggerConfig(b, a) {
			t.Errorf("%q and %q: not symmetric", a, b)
		}
		if _, err := parseTriggerConfig(a); err == nil && !sameTriggerConfig(a, a) {
			t.Errorf("%q differs from itself", a)
		}
	})
}

// An endpoint may answer anything: what is taken out of it is JSON or nothing
// that parses.
func FuzzLastEvent(f *testing.F) {
	f.Add([]byte("event: message\ndata: {\"a\":1}\n\n"))
	f.Add([]byte(` {"a":1}`))
	f.Add([]byte("data:\r\ndata: x"))
	f.Fuzz(func(_ *testing.T, text []byte) {
		_ = json.Unmarshal(lastEvent(text), &struct{}{})
	})
}
