// Package replay sends recorded HTTP exchanges to a server and tells where its
// answers differ from the recorded ones. It is for tests: a server that claims
// to speak a protocol must answer as the real one did.
//
// A capture is one JSON file with the request, the response byte for byte and
// decoded, and with what may differ: JSON pointers to values that change from
// run to run (volatile), and kinds of freedom (loose).
package replay

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Capture is one recorded exchange.
type Capture struct {
	Name    string `json:"name"`
	About   string `json:"about"`
	Profile string `json:"profile"`
	// Group and Step order exchanges that belong together. A stream that
	// stays open while later steps run is step 1.
	Group string  `json:"group"`
	Step  int     `json:"step"`
	Setup []Setup `json:"setup"`

	Request        Request  `json:"request"`
	RequestDecoded any      `json:"request_decoded"`
	Response       Response `json:"response"`
	Decoded        any      `json:"decoded"`
	DecodedNote    string   `json:"decoded_note"`

	// FrameAt and LineAt are present for streams of envelopes and of lines.
	FrameAt []float64 `json:"frame_at_ms"`
	LineAt  []float64 `json:"line_at_ms"`

	Loose           []string `json:"loose"`
	Volatile        []string `json:"volatile"`
	VolatileRequest []string `json:"volatile_request"`
}

// Request is what the client sent, apart from Host, Content-Length and
// Connection.
type Request struct {
	Method  string            `json:"method"`
	Path    string            `json:"path"`
	Headers map[string]string `json:"headers"`
	Body    []byte            `json:"body_base64"`
}

// Response is what the server answered. Body is without chunking, but still
// compressed if the server compressed it.
type Response struct {
	Status  int               `json:"status"`
	Headers map[string]string `json:"headers"`
	Body    []byte            `json:"body_base64"`
}

// Load reads every capture of a directory, in order of their names.
func Load(dir string) ([]*Capture, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil {
		return nil, err
	}
	captures := make([]*Capture, 0, len(files))
	for _, file := range files {
		c, err := load(file)
		if err != nil {
			return nil, fmt.Errorf("load %s: %w", filepath.Base(file), err)
		}
		captures = append(captures, c)
	}
	return captures, nil
}

func load(file string) (*Capture, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	c := &Capture{}
	if err := json.Unmarshal(text, c); err != nil {
		return nil, err
	}
	if want := strings.TrimSuffix(filepath.Base(file), ".json"); c.Name != want {
		return nil, fmt.Errorf("is named %q inside", c.Name)
	}
	return c, nil
}

func (c *Capture) loose(kind string) bool {
	for _, l := range c.Loose {
		if l == kind {
			return true
		}
	}
	return false
}

// streams tells that the body is a sequence of connect envelopes.
func (c *Capture) streams() bool {
	return strings.HasPrefix(c.Response.Headers["Content-Type"], "application/connect+")
}

// lines tells that the body is a sequence of JSON lines.
func (c *Capture) lines() bool { return c.LineAt != nil }
