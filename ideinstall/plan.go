package ideinstall

import "slices"

// Options say how PlanInstall, PlanUninstall and Inspect work. The zero value is
// the usual way.
type Options struct {
	Scope    Scope      // "" means the target's default
	Secret   SecretMode // "" means auto
	Force    bool       // take over an entry of another program, a read-only file, a literal in a project under git
	NoBackup bool
}

// Plan is what an installation or removal would do to one client. Nothing was
// written yet.
type Plan struct {
	Target  *Target
	Scope   Scope
	Server  Server
	Changes []*Change // one a file; most clients have one
	Notes   []string  // what the user should know; never holds a secret

	env    *Env
	opts   Options
	secret *resolvedSecret
	remove bool
}

// PlanInstall computes how the server gets into the client's files. All files
// are read and checked before it returns, so that one that must be refused keeps
// the others from being written. A nil opts is the zero value.
func PlanInstall(env *Env, t *Target, server *Server, opts *Options) (*Plan, error) {
	p := newPlan(env, t, server, opts)
	if err := server.Validate(); err != nil {
		return nil, err
	}
	if _, err := t.shapeFor(server.Transport); err != nil {
		return nil, err
	}
	if t.check != nil {
		if err := t.check(server); err != nil {
			return nil, err
		}
	}
	var err error
	if p.secret, err = t.secrets.resolve(t, p.Scope, p.opts.Secret, server); err != nil {
		return nil, err
	}
	return p, p.read()
}

// PlanUninstall computes how the entry called name gets out of the client's
// files. Other entries are never touched; an absent one is no error.
func PlanUninstall(env *Env, t *Target, name string, opts *Options) (*Plan, error) {
	p := newPlan(env, t, &Server{Name: name}, opts)
	p.remove, p.secret = true, &resolvedSecret{mode: SecretNone}
	if !validName().MatchString(name) {
		return nil, &InvalidError{"name", `use 1 to 64 letters, digits, "_", "." or "-"`}
	}
	return p, p.read()
}

func newPlan(env *Env, t *Target, server *Server, opts *Options) *Plan {
	p := &Plan{Target: t, Server: *server, env: env}
	if opts != nil {
		p.opts = *opts
	}
	p.Scope = p.opts.Scope
	if p.Scope == "" {
		p.Scope = t.DefaultScope
	}
	return p
}

// Changed reports whether Apply would write anything.
func (p *Plan) Changed() bool {
	return slices.ContainsFunc(p.Changes, func(c *Change) bool { return c.Action != ActionNone })
}

// After is what the user does to make the change take effect.
func (p *Plan) After() string {
	if p.remove && p.Target.AfterRemoval != "" {
		return p.Target.AfterRemoval
	}
	return p.Target.After
}

// SecretMode is how the secret gets into the files; never auto.
func (p *Plan) SecretMode() SecretMode { return p.secret.mode }

// read plans the change of each file.
func (p *Plan) read() error {
	paths, err := p.Target.Paths(p.env, p.Scope)
	if err != nil {
		return err
	}
	for _, path := range paths {
		c := &Change{Path: path, plan: p}
		if err := c.read(); err != nil {
			return &RefusedError{Path: path, Err: err}
		}
		p.Changes = append(p.Changes, c)
	}
	if err := p.guardProject(); err != nil {
		return err
	}
	p.note()
	return nil
}
