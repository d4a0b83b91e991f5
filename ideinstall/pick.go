package ideinstall

import "strings"

// firstExisting takes the first candidate that exists, else the first of all.
func firstExisting(env *Env, spec *fileSpec) ([]string, error) {
	all := spec.expand(env)
	for _, path := range all {
		if env.Exists(path) {
			return []string{path}, nil
		}
	}
	return all[:min(1, len(all))], nil
}

// allExisting takes every candidate that exists, else the first of all.
func allExisting(env *Env, spec *fileSpec) ([]string, error) {
	all := spec.expand(env)
	if found := existing(env, all); len(found) > 0 {
		return found, nil
	}
	return all[:min(1, len(all))], nil
}

// onlyKnown is for clients whose path no vendor documents: it takes the one
// candidate whose file, or else whose directory, exists, and refuses to guess.
func onlyKnown(env *Env, spec *fileSpec) ([]string, error) {
	all := spec.expand(env)
	found := existing(env, all)
	if len(found) == 0 {
		for _, path := range all {
			if env.Exists(parent(path)) {
				found = append(found, path)
			}
		}
	}
	if len(found) != 1 {
		return nil, &UncertainPathError{Candidates: all, Found: found}
	}
	return found, nil
}

// packagedFirst is for an app that Windows may run from a package with a private
// copy of the configuration directory. Candidates with a pattern are packages.
// Where packages exist, those with a file are meant, or the only one without;
// the plain file is kept in step when it exists.
func packagedFirst(env *Env, spec *fileSpec) ([]string, error) {
	var packaged, plain []string
	for _, c := range spec.candidates {
		if strings.Contains(strings.Join(c.segments, ""), "*") {
			packaged = append(packaged, c.expand(env)...)
		} else {
			plain = append(plain, c.expand(env)...)
		}
	}
	if len(packaged) == 0 {
		return plain[:min(1, len(plain))], nil
	}
	found := existing(env, packaged)
	if len(found) == 0 {
		if len(packaged) > 1 {
			return nil, &UncertainPathError{Candidates: packaged}
		}
		found = packaged
	}
	return append(found, existing(env, plain)...), nil
}

func (spec *fileSpec) expand(env *Env) []string {
	var out []string
	for _, c := range spec.candidates {
		out = append(out, c.expand(env)...)
	}
	return out
}

func existing(env *Env, paths []string) []string {
	var out []string
	for _, p := range paths {
		if env.Exists(p) {
			out = append(out, p)
		}
	}
	return out
}

// parent is the directory of a path of either kind of system.
func parent(path string) string {
	return path[:max(0, strings.LastIndexAny(path, `/\`))]
}

// firstKnown takes the first candidate of all, whether it exists or not: a
// variable that moves the file is always obeyed.
func firstKnown(env *Env, spec *fileSpec) ([]string, error) {
	all := spec.expand(env)
	return all[:min(1, len(all))], nil
}
