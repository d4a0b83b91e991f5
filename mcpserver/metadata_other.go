//go:build !linux

package mcpserver

// bootID is not known here; pid and start time tell processes apart.
func bootID() string { return "" }
