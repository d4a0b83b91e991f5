package cmdutil

import "strings"

// ShellQuote makes one word of s for the shell in a sandbox.
func ShellQuote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
