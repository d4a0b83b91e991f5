package start

import (
	"fmt"
	"net"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/agentsandbox/agent-sandbox/abx/internal/cmdutil"
	"github.com/agentsandbox/agent-sandbox/mcpserver"
)

// tokenVariable holds one token for the HTTP transport.
const tokenVariable = "ABX_MCP_AUTH_TOKEN"

// tokens finds out who may call. nil tokens let everybody in, which is refused
// on an address that others can reach unless it is asked for. stop ends the
// reading on SIGHUP.
func (o *HTTPOptions) tokens(f *cmdutil.Factory) (tokens *mcpserver.Tokens, stop func(), err error) {
	token, given := f.Getenv(tokenVariable), o.TokenFile != ""
	switch {
	case given:
		return o.tokensOfFile(f)
	case token != "":
		tokens, err := mcpserver.ParseTokens(strings.NewReader(token))
		if err != nil {
			err = fmt.Errorf("%s: %w", tokenVariable, err)
		}
		return tokens, func() {}, err
	case o.AllowUnauthenticated || loopback(o.Listen):
		return nil, func() {}, nil
	}
	return nil, nil, cmdutil.WithHint(
		cmdutil.AuthErrorf("%s can be reached by others and no token is set", o.Listen),
		"set "+tokenVariable+" or pass --auth-token-file FILE (or --allow-unauthenticated to let everybody in)")
}

func (o *HTTPOptions) tokensOfFile(f *cmdutil.Factory) (*mcpserver.Tokens, func(), error) {
	tokens := &mcpserver.Tokens{}
	if err := readTokens(tokens, o.TokenFile); err != nil {
		return nil, nil, err
	}
	return tokens, onHangup(func() {
		if err := readTokens(tokens, o.TokenFile); err != nil {
			f.Logger().Error("the tokens were not read again; the old ones stay", "error", err)
		}
	}), nil
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

// onHangup calls act on each SIGHUP until stop, which waits for a call in
// progress.
func onHangup(act func()) (stop func()) {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGHUP)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for range signals {
			act()
		}
	}()
	return func() {
		signal.Stop(signals)
		close(signals)
		<-done
	}
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
