package ideinstall

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/agentsandbox/agent-sandbox/ideinstall/internal/conf"
	"github.com/agentsandbox/agent-sandbox/ideinstall/internal/safefile"
)

// State is what a client's file says about the server.
type State string

// States.
const (
	StateInstalled    State = "installed"
	StateOutdated     State = "outdated" // it runs something else than would be installed now, or its program is gone
	StateDisabled     State = "disabled" // the entry is there and the client is told not to use it
	StateNotInstalled State = "not installed"
	StateNotDetected  State = "not detected" // no entry, and no sign of the client either
	StateUnknown      State = "unknown"      // the file cannot be read; Reason says why
)

// Status is the state of one client in one scope.
type Status struct {
	Target    *Target
	Scope     Scope
	Path      string // "" when no path is known
	State     State
	Reason    string     // for outdated and unknown
	Transport Transport  // "" without an entry
	Secret    SecretMode // kind of secret in the entry, never its value; "" without an entry
	Warnings  []string
}

// Inspect tells the state of a client. server is what PlanInstall would be given
// today; an entry that differs from it in program, arguments or URL is outdated.
// It writes nothing. A client with several files has one Status a file.
func Inspect(env *Env, t *Target, scope Scope, server *Server) []Status {
	paths, err := t.Paths(env, scope)
	if err != nil {
		return []Status{absentPath(env, t, scope, err)}
	}
	var out []Status
	for _, path := range paths {
		s := Status{Target: t, Scope: scope, Path: path}
		s.inspect(env, server)
		out = append(out, s)
	}
	return out
}

// absentPath is for a client none of whose files is known here.
func absentPath(env *Env, t *Target, scope Scope, err error) Status {
	s := Status{Target: t, Scope: scope, State: StateUnknown, Reason: err.Error()}
	var uncertain *UncertainPathError
	if !t.Detected(env) && errors.As(err, &uncertain) {
		s.State, s.Reason = StateNotDetected, ""
	}
	return s
}

func (s *Status) inspect(env *Env, server *Server) {
	file, err := safefile.Open(s.Path)
	if err != nil {
		s.State, s.Reason = StateUnknown, err.Error()
		return
	}
	base, _ := conf.Normalize(s.Target.format, file.Bytes)
	doc, err := s.Target.format.Parse(base)
	if err != nil {
		s.State, s.Reason = StateUnknown, err.Error()
		return
	}
	path := append(slices.Clone(s.Target.containerPath(doc.Value())), server.Name)
	entry, ok := conf.Lookup(doc.Value(), path)
	m, isObject := entry.(map[string]any)
	switch {
	case !ok && !s.Target.Detected(env):
		s.State = StateNotDetected
	case !ok:
		s.State = StateNotInstalled
	case !isObject:
		s.State, s.Reason = StateUnknown, "the entry is not an object"
	default:
		s.describe(env, m, server)
		s.warn(file, m)
		s.warnTwins(doc.Value(), server.Name)
	}
}

// describe judges an entry that is there.
func (s *Status) describe(env *Env, entry map[string]any, server *Server) {
	program, args := programOf(entry)
	s.Transport = TransportStdio
	if program == "" {
		s.Transport = TransportHTTP
	}
	s.Secret = s.Target.secretOf(entry, s.Transport)
	s.State, s.Reason = StateInstalled, s.outdated(env, program, args, entry, server)
	if s.Reason != "" {
		s.State = StateOutdated
	}
	if entry["disabled"] == true || entry["enabled"] == false {
		s.State = StateDisabled
	}
}

// outdated says how an entry differs from what would be installed, "" when it
// does not. An entry of the other transport is the user's choice and is judged
// by itself.
func (s *Status) outdated(env *Env, program string, args []string, entry map[string]any, server *Server) string {
	if s.Transport == TransportHTTP {
		if url, _ := entry[s.httpShape().url].(string); server.Transport == TransportHTTP && url != server.URL {
			return "the URL differs"
		}
		return ""
	}
	switch {
	case env.isAbs(program) && !env.Exists(program):
		return "the program is gone: " + program
	case server.Transport != TransportStdio:
		return ""
	case program != server.Command:
		return "it runs " + program
	case !slices.Equal(args, server.Args) && !isLocalVariant(args, server.Args):
		return "the arguments differ"
	}
	return ""
}

func (s *Status) httpShape() *shape {
	if s.Target.http == nil {
		return &shape{}
	}
	return s.Target.http
}

// isLocalVariant allows the flags that an installation may have added.
func isLocalVariant(have, want []string) bool {
	return len(have) > len(want) && slices.Equal(have[:len(want)], want) &&
		slices.IndexFunc(have[len(want):], func(a string) bool { return a != "--local" }) < 0
}

// warn reports a literal secret that others can read.
func (s *Status) warn(file *safefile.File, entry map[string]any) {
	if !holdsLiteral(entry) {
		return
	}
	if file.Mode&0o044 != 0 {
		s.Warnings = append(s.Warnings, "holds a secret that other users can read")
	}
	if s.Scope == ScopeProject {
		s.Warnings = append(s.Warnings, "holds a secret in a project file")
	}
}

// warnTwins reports other entries that run this server too.
func (s *Status) warnTwins(document any, name string) {
	for _, twin := range s.Target.twins(document, name) {
		s.Warnings = append(s.Warnings, fmt.Sprintf("runs this server also under the name %q", twin))
	}
}

// secretOf tells what kind of secret an entry has.
func (t *Target) secretOf(entry map[string]any, tr Transport) SecretMode {
	sh, err := t.shapeFor(tr)
	if err != nil {
		return SecretNone
	}
	mapping, byName := sh.env, sh.envList
	if tr == TransportHTTP {
		mapping, byName = sh.headers, sh.bearerEnv
	}
	if _, ok := entry[byName]; ok && byName != "" {
		return SecretEnv
	}
	values, _ := entry[mapping].(map[string]any)
	for key, v := range values {
		text, _ := v.(string)
		text = strings.TrimPrefix(text, "Bearer ")
		switch {
		case !secretKey().MatchString(key) || text == "":
		case strings.HasPrefix(text, "${input:"):
			return SecretInput
		case reference().MatchString(text):
			return SecretEnv
		default:
			return SecretLiteral
		}
	}
	return SecretNone
}
