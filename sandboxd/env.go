package sandboxd

import (
	"fmt"
	"io"
	"net"
	"regexp"
	"strings"
	"sync"
)

// Variable is one variable of the environment that a client needs.
type Variable struct{ Name, Value string }

// ClientEnv is the environment with which clients find this server at
// baseURL: that of the official E2B SDKs, and that of abx. One URL serves both
// the control plane and every sandbox.
func (s *Server) ClientEnv(baseURL string) []Variable {
	key := s.APIKey()
	return []Variable{
		{"E2B_API_URL", baseURL},
		{"E2B_SANDBOX_URL", baseURL},
		{"E2B_API_KEY", key},
		{"ABX_SANDBOX_BASE_URL", baseURL},
		{"ABX_SANDBOX_URL", baseURL},
		{"ABX_SANDBOX_API_KEY", key},
	}
}

// WriteEnv writes ClientEnv as lines "export NAME=value" for a shell.
func (s *Server) WriteEnv(w io.Writer, baseURL string) error {
	for _, v := range s.ClientEnv(baseURL) {
		if _, err := fmt.Fprintf(w, "export %s=%s\n", v.Name, shellWord(v.Value)); err != nil {
			return fmt.Errorf("write environment: %w", err)
		}
	}
	return nil
}

var plainWord = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9_./:@%+=\[\],-]+$`) })

// shellWord quotes what a shell would not take as it is.
func shellWord(s string) string {
	if plainWord().MatchString(s) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// BaseURL is the URL under which clients on this machine reach a listener.
func BaseURL(l net.Listener) string {
	addr, ok := l.Addr().(*net.TCPAddr)
	if !ok {
		return "http://" + l.Addr().String()
	}
	host := addr.IP.String()
	if addr.IP == nil || addr.IP.IsUnspecified() {
		host = "127.0.0.1"
	}
	return "http://" + net.JoinHostPort(host, fmt.Sprint(addr.Port))
}
