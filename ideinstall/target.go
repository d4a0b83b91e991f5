package ideinstall

import (
	"github.com/agentsandbox/agent-sandbox/ideinstall/internal/conf"
)

// Scope says whose configuration is meant.
type Scope string

// Scopes. A client need not have both.
const (
	ScopeUser    Scope = "user"    // every project of this user
	ScopeProject Scope = "project" // a file in the project, usually under version control
)

// Target is one client of the table; see [Targets]. Its data is fixed.
type Target struct {
	ID           string // what --target takes
	Aliases      []string
	Name         string // as the vendor writes it
	DefaultScope Scope
	After        string // what the user does to make an installation take effect
	AfterRemoval string // likewise after a removal; "" means the same
	Beta         bool   // its path comes from users' reports, not from the vendor

	files    map[Scope]fileSpec
	evidence []pathTemplate // of an installation
	programs []string       // found on the PATH, likewise

	format     conf.Format
	keyPath    []string                    // of the mapping that holds the servers
	keyPathFor func(document any) []string // instead of keyPath, where it depends on the file

	stdio   shape
	http    *shape // nil: the client takes no remote entry from its file
	httpWhy string // then: what to do instead

	secrets secretPolicy
	check   func(*Server) error // what this client cannot take
	command *clientCommand      // the client's own command, preferred for its user file
}

// shape is how a client spells an entry. Only the fields of one transport are
// ever written.
type shape struct {
	kind      string      // value of "type"; "" means that there is no such field
	argv      bool        // the program and its arguments are one list, "command"
	env       string      // name of the environment mapping
	envList   string      // name of a list of variables to hand on, instead of references
	url       string      // name of the URL's field
	headers   string      // name of the header mapping
	bearerEnv string      // name of the field that names a token's variable
	extra     conf.Object // more fields, written once and never updated
}

// secretPolicy is what "auto" means for a client, and what it can do at all.
type secretPolicy struct {
	user, project SecretMode
	http          SecretMode                   // for a remote entry in either scope; "" means as for stdio
	reference     func(variable string) string // nil: no interpolation that is documented
	inputs        bool                         // "inputs" and ${input:id} of VS Code
	specified     bool                         // user scope is literal even where abx itself stores the key
}

// fileSpec is where a client's file lies in one scope.
type fileSpec struct {
	candidates []pathTemplate
	pick       func(env *Env, spec *fileSpec) ([]string, error)
	ownFile    bool // a file of ours alone; removed with its last entry
}

// Scopes lists the scopes that the client has a file for.
func (t *Target) Scopes() []Scope {
	var out []Scope
	for _, s := range []Scope{ScopeUser, ScopeProject} {
		if _, ok := t.files[s]; ok {
			out = append(out, s)
		}
	}
	return out
}

// Remote reports whether the client's file can hold a server that is reached
// over HTTP.
func (t *Target) Remote() bool { return t.http != nil }

// Detected reports whether the client seems to be installed on this machine.
func (t *Target) Detected(env *Env) bool {
	for _, p := range t.evidence {
		for _, path := range p.expand(env) {
			if env.Exists(path) {
				return true
			}
		}
	}
	for _, name := range t.programs {
		if env.LookPath(name) != "" {
			return true
		}
	}
	return false
}

// Paths returns the files that an installation in scope would edit.
func (t *Target) Paths(env *Env, scope Scope) ([]string, error) {
	spec, err := t.file(scope)
	if err != nil {
		return nil, err
	}
	paths, err := spec.pick(env, spec)
	if err == nil && len(paths) == 0 {
		err = &NoPathError{Target: t, GOOS: env.GOOS, HomeUnknown: env.Home == ""}
	}
	return paths, err
}

func (t *Target) file(scope Scope) (*fileSpec, error) {
	spec, ok := t.files[scope]
	if !ok {
		return nil, &UnsupportedError{Target: t, What: "scope " + string(scope), Hint: "it has scope " + joinScopes(t.Scopes())}
	}
	return &spec, nil
}

func (t *Target) containerPath(document any) []string {
	if t.keyPathFor != nil {
		return t.keyPathFor(document)
	}
	return t.keyPath
}

func (t *Target) shapeFor(tr Transport) (*shape, error) {
	if tr == TransportStdio {
		return &t.stdio, nil
	}
	if t.http == nil {
		return nil, &UnsupportedError{Target: t, What: "transport http", Hint: t.httpWhy}
	}
	return t.http, nil
}
