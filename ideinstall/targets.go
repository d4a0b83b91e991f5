package ideinstall

import (
	"slices"
	"strings"
)

// targets is the table, the three targets of the design first. A client is one
// row here and one file client_<id>.go.
var targets = []*Target{
	&cursor, &claude, &vscode,
	&claudeCode, &vscodeInsiders, &windsurf, &gemini, &qwen, &qoder, &qoderCLI, &lingma,
	&codex, &zed, &opencode, &kiro, &cline, &trae, &copilotCLI, &amp, &lmstudio, &continueDev,
}

// Targets returns the table in its order.
func Targets() []*Target { return slices.Clone(targets) }

// IDs returns the names that Select takes beside auto and all.
func IDs() []string {
	ids := make([]string, len(targets))
	for i, t := range targets {
		ids[i] = t.ID
	}
	return ids
}

// Names of groups of targets.
const (
	GroupAuto = "auto" // those that are detected
	GroupAll  = "all"  // the whole table
)

// Select turns names, each of which may be a comma list, into targets, every one
// once and in the order of their first mention. An unknown name is an
// *UnknownTargetError.
func Select(env *Env, names []string) ([]*Target, error) {
	var out []*Target
	for _, name := range strings.Split(strings.Join(names, ","), ",") {
		found, err := group(env, strings.ToLower(strings.TrimSpace(name)))
		if err != nil {
			return nil, err
		}
		for _, t := range found {
			if !slices.Contains(out, t) {
				out = append(out, t)
			}
		}
	}
	return out, nil
}

func group(env *Env, name string) ([]*Target, error) {
	switch name {
	case GroupAll:
		return targets, nil
	case GroupAuto:
		return detected(env), nil
	}
	for _, t := range targets {
		if t.ID == name || slices.Contains(t.Aliases, name) {
			return []*Target{t}, nil
		}
	}
	return nil, &UnknownTargetError{Name: name}
}

func detected(env *Env) []*Target {
	var out []*Target
	for _, t := range targets {
		if t.Detected(env) {
			out = append(out, t)
		}
	}
	return out
}
