package start

import (
	"fmt"
	"net"
	"os"
	"strings"

	"github.com/agentsandbox/agent-sandbox/abx/internal/cmdutil"
	"github.com/agentsandbox/agent-sandbox/mcpserver"
)

// tokenVariable holds one token for the HTTP transport.
const tokenVariable = "ABX_MCP_AUTH_TOKEN"

// tokens finds out who may call. nil tokens let everybody in, which is refused
// on an address that others can reach unless it is asked for. again, where not
// nil, reads their file again.
func (o *HTTPOptions) tokens(f *cmdutil.Factory) (tokens *mcpserver.Tokens, again reload, err error) {
	token := f.Getenv(tokenVariable)
	_, set := os.LookupEnv(tokenVariable)
	switch {
	case o.TokenFile != "":
		tokens = &mcpserver.Tokens{}
		again = func() error { return readTokens(tokens, o.TokenFile) }
		return tokens, again, again()
	case token != "":
		tokens, err = mcpserver.ParseTokens(strings.NewReader(token))
		if err != nil {
			err = fmt.Errorf("%s: %w", tokenVariable, err)
		}
		return tokens, nil, err
	case set: // a secret that did not arrive must not open the server
		return nil, nil, cmdutil.AuthErrorf("%s is set and empty: unset it to serve without a token", tokenVariable)
	case o.AllowUnauthenticated || loopback(o.Listen):
		return nil, nil, nil
	}
	return nil, nil, cmdutil.WithHint(
		cmdutil.AuthErrorf("%s can be reached by others and no token is set", o.Listen),
		"set "+tokenVariable+" or pass --auth-token-file FILE (or --allow-unauthenticated to let everybody in)")
}

func readTokens(tokens *mcpserver.Tokens, path string) error {
	file, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("open token file: %w", err)
	}
	defer func() { _ = file.Close() }()
	if err := tokens.Replace(file); err != nil {
		return fmt.Errorf("token file %s: %w", path, err)
	}
	return nil
}

// loopback says whether only this machine can reach the address.
func loopback(address string) bool {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return false
	}
	ip := net.ParseIP(host)
	return host == "localhost" || (ip != nil && ip.IsLoopback())
}
