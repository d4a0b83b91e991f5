package ideinstall

import "strings"

// root is where a path template starts.
type root int

const (
	home         root = iota
	config            // see configRoot
	xdgConfig         // $XDG_CONFIG_HOME or ~/.config, on every system
	localAppData      // Windows only
	project
	variable // the value of an environment variable
)

// pathTemplate is a path for any system. Segments may hold * where Glob is meant.
type pathTemplate struct {
	root     root
	env      string   // name of the variable for root variable
	segments []string // below the root
	only     string   // GOOS list, comma separated; "" means all
}

func inHome(segments ...string) pathTemplate   { return pathTemplate{root: home, segments: segments} }
func inConfig(segments ...string) pathTemplate { return pathTemplate{root: config, segments: segments} }
func inXDG(segments ...string) pathTemplate    { return pathTemplate{root: xdgConfig, segments: segments} }
func inProject(segments ...string) pathTemplate {
	return pathTemplate{root: project, segments: segments}
}

func inLocalAppData(segments ...string) pathTemplate {
	return pathTemplate{root: localAppData, segments: segments, only: "windows"}
}

// inVariable is a path below a directory, or a whole path without segments, that
// an environment variable names; no path when it is unset or relative.
func inVariable(name string, segments ...string) pathTemplate {
	return pathTemplate{root: variable, env: name, segments: segments}
}

// on limits a template to some systems.
func (p pathTemplate) on(goos ...string) pathTemplate {
	p.only = strings.Join(goos, ",")
	return p
}

// expand returns the paths that a template stands for: one, or those that match
// its pattern, or none when its root is unknown or not of this system.
func (p pathTemplate) expand(env *Env) []string {
	if p.only != "" && !strings.Contains(","+p.only+",", ","+env.GOOS+",") {
		return nil
	}
	base := env.rootPath(p)
	if base == "" {
		return nil
	}
	path := env.join(base, p.segments...)
	if strings.Contains(strings.Join(p.segments, ""), "*") {
		return env.globTemplate(base, p.segments)
	}
	return []string{path}
}

// globTemplate expands the first segment with a star and keeps what follows it
// as it is: the rest need not exist yet.
func (env *Env) globTemplate(base string, segments []string) []string {
	for i, s := range segments {
		if !strings.Contains(s, "*") {
			continue
		}
		var out []string
		for _, match := range env.Glob(env.join(base, segments[:i+1]...)) {
			out = append(out, env.join(match, segments[i+1:]...))
		}
		return out
	}
	return nil
}

func (env *Env) rootPath(p pathTemplate) string {
	switch p.root {
	case home:
		return env.Home
	case config:
		return env.configRoot()
	case xdgConfig:
		return env.xdgRoot()
	case localAppData:
		return env.localAppData()
	case project:
		return env.Project
	}
	return env.absEnv(p.env)
}

// configRoot is where desktop applications keep their settings:
// $XDG_CONFIG_HOME or ~/.config, ~/Library/Application Support, %APPDATA%.
func (env *Env) configRoot() string {
	switch env.GOOS {
	case "windows":
		return env.knownFolder("APPDATA", "AppData", "Roaming")
	case "darwin":
		return env.below("Library", "Application Support")
	}
	return env.xdgRoot()
}

func (env *Env) xdgRoot() string {
	if dir := env.absEnv("XDG_CONFIG_HOME"); dir != "" {
		return dir
	}
	return env.below(".config")
}

func (env *Env) localAppData() string { return env.knownFolder("LOCALAPPDATA", "AppData", "Local") }

// knownFolder is a Windows folder: the variable, else its usual place.
func (env *Env) knownFolder(name string, usual ...string) string {
	if dir := env.absEnv(name); dir != "" {
		return dir
	}
	return env.below(usual...)
}

// below is a path in the home directory, "" when that is unknown.
func (env *Env) below(segments ...string) string {
	if env.Home == "" {
		return ""
	}
	return env.join(env.Home, segments...)
}

// stateDir is where backups and locks lie, outside of every client's directory
// and of every project.
func (env *Env) stateDir() string {
	if dir := env.absEnv("XDG_STATE_HOME"); dir != "" {
		return env.join(dir, "abx")
	}
	if env.GOOS == "windows" {
		if dir := env.localAppData(); dir != "" {
			return env.join(dir, "abx")
		}
	}
	return env.below(".local", "state", "abx")
}

// Display shortens a path for people: relative to the project, or with ~ for the
// home directory, whichever of the two is the closer one above it.
func (env *Env) Display(path string) string {
	sep := env.join("", "")
	inProject, ok := strings.CutPrefix(path, env.Project+sep)
	ok = ok && env.Project != ""
	inHome, ok2 := strings.CutPrefix(path, env.Home+sep)
	ok2 = ok2 && env.Home != ""
	switch {
	case ok2 && (!ok || len(env.Home) >= len(env.Project)):
		return "~" + sep + inHome
	case ok:
		return inProject
	}
	return path
}
