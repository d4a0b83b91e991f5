package cli

// defaultPort is what Function Compute dials when it sets no port of its own.
const defaultPort = "9000"

// newestWithAffinity is the newest revision for which Function Compute documents
// session affinity.
const newestWithAffinity = "2025-06-18"

// bootstrapArgs is the command line that the name "bootstrap" stands for: the
// HTTP server on the port that Function Compute expects, every other setting
// from the environment. Every interface is right there, since the instance is
// reached through the platform's gateway only; a token is still demanded. The
// gateway keeps connections for as long as it likes.
func bootstrapArgs(getenv func(string) string) []string {
	port := getenv("FC_CUSTOM_LISTEN_PORT")
	if port == "" {
		port = defaultPort
	}
	args := []string{"mcp", "start", "--transport", "http", "--listen", "0.0.0.0:" + port, "--idle-timeout", "0"}
	if getenv("ABX_MCP_SESSION_AFFINITY") == "MCP_STREAMABLE" {
		args = append(args, "--newest-protocol", newestWithAffinity)
	}
	return args
}
