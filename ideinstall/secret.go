package ideinstall

import "fmt"

// resolvedSecret is how the secret goes into one file.
type resolvedSecret struct {
	mode     SecretMode // never auto
	explicit bool       // asked for, not chosen by the row
	variable string
	text     string // the value, or the reference to it
}

// resolve decides how the secret goes into a file of the given scope.
//
// auto takes the row's way when a secret is known, and none otherwise or when
// the server finds the secret by itself, save for the two clients whose user
// file always carries it. A project file never gets a literal by itself.
func (p *secretPolicy) resolve(t *Target, scope Scope, mode SecretMode, s *Server) (*resolvedSecret, error) {
	r := &resolvedSecret{mode: mode, explicit: mode != SecretAuto && mode != "", variable: s.Secret.Variable}
	if !r.explicit {
		r.mode = p.auto(scope, s)
	}
	switch r.mode {
	case SecretNone:
	case SecretLiteral:
		if s.Secret.Value == "" {
			return nil, &InvalidError{"secret", fmt.Sprintf("literal needs a value: set %s", r.variable)}
		}
		r.text = s.Secret.Value
	case SecretEnv:
		return r, p.refer(t, s, r)
	case SecretInput:
		if !p.inputs {
			return nil, &UnsupportedError{Target: t, What: "secret input", Hint: "use env, literal or none"}
		}
		r.text = "${input:" + inputID + "}"
	default:
		return nil, &InvalidError{"secret", "use auto, literal, env, input or none"}
	}
	return r, nil
}

func (p *secretPolicy) auto(scope Scope, s *Server) SecretMode {
	mode := p.user
	if scope == ScopeProject {
		mode = p.project
	}
	if s.Transport == TransportHTTP && p.http != "" {
		mode = p.http
	}
	always := p.specified && scope == ScopeUser
	if s.Secret.Value == "" || mode == "" || s.Secret.Stored && !always {
		return SecretNone
	}
	return mode
}

func (p *secretPolicy) refer(t *Target, s *Server, r *resolvedSecret) error {
	sh, err := t.shapeFor(s.Transport)
	if err != nil {
		return err
	}
	byName := sh.envList
	if s.Transport == TransportHTTP {
		byName = sh.bearerEnv
	}
	switch {
	case byName != "":
	case p.reference != nil:
		r.text = p.reference(r.variable)
	default:
		return &UnsupportedError{Target: t, What: "references to environment variables", Hint: "use --secret literal or none"}
	}
	return nil
}

// The ways in which clients write a reference.
func bracedReference(name string) string   { return "${" + name + "}" }
func dollarReference(name string) string   { return "$" + name }
func envReference(name string) string      { return "${env:" + name + "}" }
func curlyEnvReference(name string) string { return "{env:" + name + "}" }
