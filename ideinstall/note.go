package ideinstall

import (
	"context"
	"fmt"
	"maps"
	"os"
	"slices"

	"github.com/agentsandbox/agent-sandbox/ideinstall/internal/conf"
)

// guardProject keeps a literal secret out of a file that git would pick up.
func (p *Plan) guardProject() error {
	if p.remove || p.Scope != ScopeProject || p.secret.mode != SecretLiteral || p.opts.Force {
		return nil
	}
	for _, c := range p.Changes {
		if c.Action != ActionNone && p.underGit(c.Path) {
			return &RefusedError{Path: c.Path, Err: &InvalidError{"secret",
				"git does not ignore this file, so a literal would be published with the project: use --secret env, ignore the file, or --force"}}
		}
	}
	return nil
}

// underGit reports whether a file lies in a git work tree that does not ignore
// it. Where git itself cannot be asked, a work tree is enough.
func (p *Plan) underGit(path string) bool {
	inside := false
	for dir := parent(path); dir != "" && !inside; dir = parent(dir) {
		inside = p.env.Exists(p.env.join(dir, ".git"))
	}
	if !inside {
		return false
	}
	_, err := p.env.Run(context.Background(), "git", "-C", p.env.Project, "check-ignore", "--quiet", "--", path)
	return err != nil
}

// note collects what the user should know about the plan.
func (p *Plan) note() {
	if !p.remove && p.Scope == ScopeUser && !p.Target.Detected(p.env) {
		p.addNote("%s was not found on this machine", p.Target.Name)
	}
	for _, c := range p.Changes {
		if c.Action == ActionNone {
			p.noteExposed(c)
			continue
		}
		if c.bom {
			p.addNote("the byte order mark of %s is dropped", c.Path)
		}
		if !p.remove {
			p.noteInstall(c)
		}
	}
}

// noteExposed tells of a secret that lies open in a file which needs no change.
func (p *Plan) noteExposed(c *Change) {
	if !p.remove && p.env.GOOS != "windows" && c.holdsSecret() && c.file.Mode&0o077 != 0 {
		p.addNote("%s holds a secret and has mode %04o: run chmod 600 on it", c.Path, c.file.Mode)
	}
}

func (p *Plan) noteInstall(c *Change) {
	if c.holdsSecret() && p.Scope == ScopeProject {
		p.addNote("%s holds a secret: keep it out of version control", c.Path)
	}
	if info, err := os.Stat(parent(c.file.Path)); err == nil && p.env.GOOS != "windows" && info.Mode().Perm()&0o022 != 0 {
		p.addNote("%s can be written by other users", parent(c.file.Path))
	}
	for _, name := range p.Target.twins(c.result, p.Server.Name) {
		p.addNote("%s also runs this server under the name %q", c.Path, name)
	}
	if c.foreignServers() {
		p.addNote("%s also holds \"servers\" of Visual Studio, which stay as they are", c.Path)
	}
}

// twins are the names of other entries that run abx.
func (t *Target) twins(document any, own string) []string {
	servers, _ := conf.Lookup(document, t.containerPath(document))
	all, _ := servers.(map[string]any)
	var names []string
	for _, name := range slices.Sorted(maps.Keys(all)) {
		entry, _ := all[name].(map[string]any)
		if name != own && runsAbx(entry) {
			names = append(names, name)
		}
	}
	return names
}

// foreignServers reports whether the file, whose name two products share, is
// used by the other one as well.
func (c *Change) foreignServers() bool {
	_, other := conf.Lookup(c.result, []string{"servers"})
	return other && c.plan.Target.ID == claudeCode.ID
}

func (p *Plan) addNote(format string, args ...any) {
	p.Notes = append(p.Notes, fmt.Sprintf(format, args...))
}
