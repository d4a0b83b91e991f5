package ideinstall

import (
	"io/fs"
	"slices"

	"github.com/agentsandbox/agent-sandbox/ideinstall/internal/conf"
	"github.com/agentsandbox/agent-sandbox/ideinstall/internal/safefile"
)

// Action says what a change does to its file.
type Action string

// Actions.
const (
	ActionCreate Action = "create" // the file does not exist
	ActionUpdate Action = "update"
	ActionRemove Action = "remove"
	ActionNone   Action = "none" // the file already is as it should be
)

// Change is the edit of one file.
type Change struct {
	Path   string // as the client knows it; may be a link
	Action Action
	Backup string // set by Apply when it made a copy of the old file

	plan     *Plan
	file     *safefile.File
	after    []byte
	result   any            // after, decoded
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
	c.after, c.result, c.bom = result.Bytes, result.Value, result.DroppedBOM
	c.inspect()
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
	_, c.hadEntry = c.lookup(doc.Value())
	m := &merger{target: c.plan.Target, server: &c.plan.Server, secret: c.plan.secret, force: c.plan.opts.Force}
	plan := m.install
	if c.plan.remove {
		plan = m.remove
	}
	ops, err := plan(doc)
	if err != nil {
		return nil, err
	}
	return conf.Apply(format, src, ops)
}

// inspect notes what the new content holds.
func (c *Change) inspect() {
	c.entry, _ = c.lookup(c.result)
	spec := c.plan.Target.files[c.plan.Scope]
	c.delete = c.plan.remove && c.hadEntry && spec.ownFile && c.isEmpty()
}

// lookup finds our entry in a decoded document.
func (c *Change) lookup(document any) (map[string]any, bool) {
	path := append(slices.Clone(c.plan.Target.containerPath(document)), c.plan.Server.Name)
	v, ok := conf.Lookup(document, path)
	m, _ := v.(map[string]any)
	return m, ok
}

// isEmpty reports whether nothing but an empty container is left.
func (c *Change) isEmpty() bool {
	root, _ := c.result.(map[string]any)
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
