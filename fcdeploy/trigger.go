package fcdeploy

import (
	"encoding/json"
	"fmt"
	"slices"
)

// Ways in which FC itself authenticates a request to an HTTP trigger. MCP
// clients cannot sign FC requests, so the default is anonymous and the server
// checks a bearer token.
const (
	AuthAnonymous = "anonymous"
	AuthFunction  = "function"
)

// Trigger is the HTTP trigger of the function.
type Trigger struct {
	Name               string
	AuthType           string
	Methods            []string
	DisableInternetURL bool
}

// mcpMethods are the methods of Streamable HTTP; session affinity needs all.
var mcpMethods = []string{"POST", "GET", "DELETE"}

func (t Trigger) withDefaults() Trigger {
	setDefault(&t.Name, DefaultTriggerName)
	setDefault(&t.AuthType, AuthAnonymous)
	if t.Methods == nil {
		t.Methods = slices.Clone(mcpMethods)
	}
	return t
}

// triggerConfig is the JSON inside the API's triggerConfig string.
type triggerConfig struct {
	AuthType           string   `json:"authType" yaml:"authType"`
	DisableURLInternet bool     `json:"disableURLInternet" yaml:"disableURLInternet"`
	Methods            []string `json:"methods" yaml:"methods"`
}

func (t *Trigger) config() triggerConfig {
	return triggerConfig{AuthType: t.AuthType, DisableURLInternet: t.DisableInternetURL, Methods: t.Methods}
}

func (t *Trigger) configJSON() string {
	text, err := json.Marshal(t.config())
	if err != nil {
		panic(fmt.Sprintf("encode trigger: %v", err)) // strings and a bool
	}
	return string(text)
}

// sameTriggerConfig compares by meaning: the order of methods, unset members
// and spacing do not count.
func sameTriggerConfig(a, b string) bool {
	x, errX := parseTriggerConfig(a)
	y, errY := parseTriggerConfig(b)
	return errX == nil && errY == nil &&
		x.AuthType == y.AuthType && x.DisableURLInternet == y.DisableURLInternet && slices.Equal(x.Methods, y.Methods)
}

func parseTriggerConfig(text string) (*triggerConfig, error) {
	config := &triggerConfig{AuthType: AuthFunction} // the service's default
	if err := json.Unmarshal([]byte(text), config); err != nil {
		return nil, fmt.Errorf("parse trigger config: %w", err)
	}
	config.Methods = slices.Clone(config.Methods)
	slices.Sort(config.Methods)
	return config, nil
}
