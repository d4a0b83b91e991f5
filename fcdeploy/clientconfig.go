package fcdeploy

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// ClientConfig is what an MCP client needs to use an endpoint. The token is a
// reference, never the value.
type ClientConfig struct {
	Servers map[string]ClientServer `json:"mcpServers"`
}

// ClientServer is one server of a [ClientConfig].
type ClientServer struct {
	URL     string            `json:"url"`
	Headers map[string]string `json:"headers,omitempty"`
}

// NewClientConfig describes an endpoint; an empty one stands for a trigger that
// does not exist yet.
func NewClientConfig(endpoint string, authenticated bool) *ClientConfig {
	if endpoint == "" {
		endpoint = "https://<FC_HTTP_TRIGGER_URL>" + MCPPath
	}
	server := ClientServer{URL: endpoint}
	if authenticated {
		server.Headers = map[string]string{"Authorization": "Bearer " + masked}
	}
	return &ClientConfig{Servers: map[string]ClientServer{"agent-sandbox-remote": server}}
}

// String is the configuration as indented JSON.
func (c *ClientConfig) String() string {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(c); err != nil {
		panic(fmt.Sprintf("encode client config: %v", err)) // strings only
	}
	return text.String()
}
