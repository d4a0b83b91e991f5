package fcdeploy_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/agentsandbox/agent-sandbox/fcdeploy"
)

// app.py becomes the program beside it, from any working directory, with the
// environment it was given.
func TestPythonEntryBecomesTheProgram(t *testing.T) {
	t.Parallel()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is not installed")
	}
	dir := filepath.Join(t.TempDir(), "out")
	if _, err := fcdeploy.WriteArtifact(dir, fcdeploy.Spec{Flavor: fcdeploy.FlavorPython}, linuxProgram()); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "bootstrap"), []byte("#!/bin/sh\necho \"$# $ABX_MCP_AUTH_TOKEN\"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), python, filepath.Join(dir, "app.py"))
	cmd.Dir, cmd.Env = t.TempDir(), []string{"ABX_MCP_AUTH_TOKEN=t", "PATH=/usr/bin:/bin"}
	out, err := cmd.CombinedOutput()
	if err != nil || string(out) != "0 t\n" {
		t.Errorf("got %q, %v", out, err)
	}
}
