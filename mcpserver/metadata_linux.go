package mcpserver

import (
	"os"
	"strings"
)

// bootID changes with every start of the machine.
func bootID() string {
	id, _ := os.ReadFile("/proc/sys/kernel/random/boot_id")
	return strings.TrimSpace(string(id))
}
