package ideinstall

import (
	"net/url"
	"regexp"
	"strings"
	"sync"
)

// Transport is how a client reaches the server.
type Transport string

// Transports.
const (
	TransportStdio Transport = "stdio" // the client starts Command
	TransportHTTP  Transport = "http"  // the client posts to URL
)

// Server is the MCP server to register.
type Server struct {
	Name      string // key of the entry: letters, digits, "_", "." and "-", at most 64
	Transport Transport
	Command   string   // absolute path of the program, for stdio
	Args      []string // for stdio
	URL       string   // for http
	Secret    Secret
}

// Secret is what the server, or the client of a remote one, authenticates with.
type Secret struct {
	Variable string // environment variable that carries it
	Value    string // "" when not known
	Stored   bool   // the server finds it without the client's help
}

// SecretMode says how a secret gets into a client's file.
type SecretMode string

// Secret modes.
const (
	SecretAuto    SecretMode = "auto"    // the row of the client decides
	SecretLiteral SecretMode = "literal" // the value itself; the file becomes private
	SecretEnv     SecretMode = "env"     // a reference to the variable
	SecretInput   SecretMode = "input"   // the client asks once (VS Code)
	SecretNone    SecretMode = "none"    // nothing; one that is there is removed
)

var validName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9_.-]{1,64}$`) })

// Validate reports the first field that no client could take.
func (s *Server) Validate() error {
	switch {
	case !validName().MatchString(s.Name) || s.Name == "__proto__":
		return &InvalidError{"name", `use 1 to 64 letters, digits, "_", "." or "-"`}
	case strings.ContainsAny(s.Secret.Value, "\r\n\x00"):
		return &InvalidError{"secret", "it holds a line break or NUL, which no header or variable can carry"}
	case s.Transport == TransportStdio:
		return s.validateStdio()
	case s.Transport == TransportHTTP:
		return s.validateHTTP()
	}
	return &InvalidError{"transport", "use stdio or http"}
}

func (s *Server) validateStdio() error {
	switch {
	case s.Command == "":
		return &InvalidError{"command", "a path is needed for transport stdio"}
	case strings.ContainsRune(s.Command, 0):
		return &InvalidError{"command", "it holds a NUL byte"}
	case s.URL != "":
		return &InvalidError{"url", "it goes with transport http"}
	}
	return nil
}

func (s *Server) validateHTTP() error {
	u, err := url.Parse(s.URL)
	if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
		return &InvalidError{"url", "transport http needs an http or https URL such as https://example.com/mcp"}
	}
	if u.User != nil {
		return &InvalidError{"url", "it holds a user or password: give the token as the secret instead"}
	}
	return nil
}
