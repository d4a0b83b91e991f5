package main_test

import (
	"encoding/json"
	"os"
	"slices"
	"testing"

	"github.com/agentsandbox/agent-sandbox/mcpserver"
)

// The bundle's manifest shows the tools before the server was ever started.
func TestManifestNamesTheTools(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("packaging/manifest.json")
	if err != nil {
		t.Fatal(err)
	}
	var manifest struct{ Tools []struct{ Name string } }
	if err := json.Unmarshal(data, &manifest); err != nil {
		t.Fatal(err)
	}
	var got, want []string
	for _, tool := range manifest.Tools {
		got = append(got, tool.Name)
	}
	for _, tool := range mcpserver.Tools() {
		want = append(want, tool.Name)
	}
	if !slices.Equal(got, want) {
		t.Errorf("manifest.json names %v, the server has %v", got, want)
	}
}
