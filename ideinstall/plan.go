package ideinstall

import (
	"fmt"
	"io/fs"
	"slices"

	"github.com/agentsandbox/agent-sandbox/ideinstall/internal/conf"
	"github.com/agentsandbox/agent-sandbox/ideinstall/internal/safefile"
)

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

// Action says what a change does to its file.
type Action string

// Actions.
const (
	ActionCreate Action = "create" // the file does not exist
	ActionUpdate Action = "update"
	ActionRemove Action = "remove"
	ActionNone   Action = "none" // the file already is as it should be
)

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
	if !validName.MatchString(name) {
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

// Change is the edit of one file.
type Change struct {
	Path   string // as the client knows it; may be a link
	Action Action
	Backup string // set by Apply when it made a copy of the old file

	plan     *Plan
	file     *safefile.File
	after    []byte
	entry    map[string]any // as it will stand in the file, nil when removed
	hadEntry bool
	bom      bool
	delete   bool // our own file, empty once the entry is out
}

// read opens the file and computes its new content.
func (c *Change) read() error {
	file, err := safefile.Open(c.Path)
	if err != nil {
		return err
	}
	c.file = file
	result, err := c.edit(file.Bytes)
	if err != nil {
		return err
	}
	c.after, c.bom = result.Bytes, result.DroppedBOM
	c.Action = c.action(result.Changed)
	if c.Action == ActionNone || c.plan.opts.Force {
		return nil
	}
	return file.Writable()
}

func (c *Change) action(changed bool) Action {
	switch {
	case !changed:
		return ActionNone
	case c.plan.remove:
		return ActionRemove
	case !c.file.Exists:
		return ActionCreate
	}
	return ActionUpdate
}

// edit computes the new content from src.
func (c *Change) edit(src []byte) (*conf.Result, error) {
	format := c.plan.Target.format
	base, _ := conf.Normalize(format, src)
	doc, err := format.Parse(base)
	if err != nil {
		return nil, err
	}
	_, c.hadEntry = c.lookup(doc)
	m := &merger{target: c.plan.Target, server: &c.plan.Server, secret: c.plan.secret, force: c.plan.opts.Force}
	plan := m.install
	if c.plan.remove {
		plan = m.remove
	}
	ops, err := plan(doc)
	if err != nil {
		return nil, err
	}
	result, err := conf.Apply(format, src, ops)
	if err != nil {
		return nil, err
	}
	return result, c.inspectResult(result.Bytes)
}

// inspectResult notes what the new content holds.
func (c *Change) inspectResult(out []byte) error {
	format := c.plan.Target.format
	base, _ := conf.Normalize(format, out)
	doc, err := format.Parse(base)
	if err != nil {
		return fmt.Errorf("read result: %w", err)
	}
	c.entry, _ = c.lookup(doc)
	spec := c.plan.Target.files[c.plan.Scope]
	c.delete = c.plan.remove && c.hadEntry && spec.ownFile && c.isEmpty(doc)
	return nil
}

func (c *Change) lookup(doc conf.Document) (map[string]any, bool) {
	path := append(slices.Clone(c.plan.Target.containerPath(doc.Value())), c.plan.Server.Name)
	v, ok := conf.Lookup(doc.Value(), path)
	m, _ := v.(map[string]any)
	return m, ok
}

// isEmpty reports whether nothing but an empty container is left.
func (c *Change) isEmpty(doc conf.Document) bool {
	root, _ := doc.Value().(map[string]any)
	servers, _ := conf.Lookup(root, c.plan.Target.containerPath(root))
	m, _ := servers.(map[string]any)
	return len(root) <= 1 && len(m) == 0
}

// replaceOptions are the modes for this file: a new one is the user's alone in
// the home directory and follows the umask in a project.
func (c *Change) replaceOptions() *safefile.ReplaceOptions {
	o := &safefile.ReplaceOptions{NewMode: 0o600, DirMode: fs.FileMode(0o700), Private: c.holdsSecret()}
	if c.plan.Scope == ScopeProject {
		o.NewMode, o.DirMode = 0o644, 0o755
	}
	return o
}

// holdsSecret reports whether our entry has a literal secret in it.
func (c *Change) holdsSecret() bool { return c.entry != nil && holdsLiteral(c.entry) }
