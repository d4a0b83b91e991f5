//go:build !linux

package isolation_test

import "os/exec"

func runTool() {}

func toolCommand([]string) *exec.Cmd { return exec.Command("false") }
