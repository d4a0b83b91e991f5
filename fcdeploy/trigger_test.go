package fcdeploy

import "testing"

func TestSameTriggerConfig(t *testing.T) {
	t.Parallel()
	const ours = `{"authType":"anonymous","disableURLInternet":false,"methods":["POST","GET","DELETE"]}`
	for other, want := range map[string]bool{
		ours: true,
		`{"methods":["DELETE","GET","POST"],"authType":"anonymous"}`:                           true, // order and defaults
		`{ "authType": "anonymous", "methods": ["GET","POST","DELETE"], "authConfig": null }`:  true,
		`{"methods":["GET","POST","DELETE"]}`:                                                  false, // function is the default
		`{"authType":"anonymous","methods":["GET","POST"]}`:                                    false,
		`{"authType":"anonymous","methods":["GET","POST","DELETE"],"disableURLInternet":true}`: false,
		`not JSON`: false,
	} {
		if got := sameTriggerConfig(ours, other); got != want {
			t.Errorf("%s: %v, want %v", other, got, want)
		}
	}
}
