package cli

// defaultPort is what Function Compute dials when it sets no port of its own.
const defaultPort = "9000"

// bootstrapArgs is the command line that the name "bootstrap" stands for: the
// HTTP server on the port that Function Compute expects, every other setting
// from the environment. Every interface is right there, since the instance is
// reached through the platform's gateway only; a token is still demanded.
func bootstrapArgs(getenv func(string) string) []string {
	port := getenv("FC_CUSTOM_LISTEN_PORT")
	if port == "" {
		port = defaultPort
	}
	return []string{"mcp", "start", "--transport", "http", "--listen", "0.0.0.0:" + port}
}
