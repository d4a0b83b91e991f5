package ideinstall

import (
	"fmt"
	"strings"

	"github.com/agentsandbox/agent-sandbox/ideinstall/internal/conf"
	"github.com/agentsandbox/agent-sandbox/ideinstall/internal/safefile"
)

// SyntaxError reports a file that its client could not read either. It has the
// place, never the text there.
type SyntaxError = conf.SyntaxError

// AmbiguousError reports a file in which the place of the entry is not certain.
type AmbiguousError = conf.AmbiguousError

// ErrChanged reports that a client kept changing its file during Apply.
var ErrChanged = safefile.ErrChanged

// UnknownTargetError reports a name that is in no row of the table.
type UnknownTargetError struct{ Name string }

// Error implements error.
func (e *UnknownTargetError) Error() string {
	return fmt.Sprintf("unknown target %q: use auto, all or one of %s", e.Name, strings.Join(IDs(), ", "))
}

// UnsupportedError reports a request that a client has no means for.
type UnsupportedError struct {
	Target *Target
	What   string
	Hint   string // what to do instead, or ""
}

// Error implements error.
func (e *UnsupportedError) Error() string {
	return withHint(fmt.Sprintf("%s does not support %s", e.Target.Name, e.What), e.Hint)
}

// InvalidError reports a bad value of a request.
type InvalidError struct{ Field, Reason string }

// Error implements error.
func (e *InvalidError) Error() string { return e.Field + ": " + e.Reason }

// NoPathError reports that no path of the client's file is known here.
type NoPathError struct {
	Target      *Target
	GOOS        string
	HomeUnknown bool
}

// Error implements error.
func (e *NoPathError) Error() string {
	if e.HomeUnknown {
		return "the home directory is unknown: set HOME (USERPROFILE on Windows) to an absolute path"
	}
	return fmt.Sprintf("no path of %s's configuration is known on %s: use --print and paste the entry", e.Target.Name, e.GOOS)
}

// UncertainPathError reports that it is not clear which file the client reads.
type UncertainPathError struct{ Candidates, Found []string }

// Error implements error.
func (e *UncertainPathError) Error() string {
	list := e.Found
	what := "more than one file may be meant"
	if len(list) == 0 {
		list = e.Candidates
		what = "none of the places where the file may lie exists"
	}
	return fmt.Sprintf("%s (%s): use --print and paste the entry", what, strings.Join(list, ", "))
}

// NotOursError reports that another program's entry stands under the name.
type NotOursError struct {
	Name    string
	Command string // masked
}

// Error implements error.
func (e *NotOursError) Error() string {
	return fmt.Sprintf("entry %q runs %s, not this server: choose another --name or use --force", e.Name, e.Command)
}

// RefusedError reports a file that stays as it is, byte for byte.
type RefusedError struct {
	Path string
	Err  error
}

// Error implements error.
func (e *RefusedError) Error() string {
	return fmt.Sprintf("refused: %s: %v; file left untouched", e.Path, e.Err)
}

// Unwrap gives the reason.
func (e *RefusedError) Unwrap() error { return e.Err }

func withHint(msg, hint string) string {
	if hint == "" {
		return msg
	}
	return msg + ": " + hint
}

func joinScopes(scopes []Scope) string {
	names := make([]string, len(scopes))
	for i, s := range scopes {
		names[i] = string(s)
	}
	return strings.Join(names, " and ")
}
