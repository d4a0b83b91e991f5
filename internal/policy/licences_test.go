package policy_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// licences are those that may be linked into an Apache-2.0 program without
// obliging whoever uses it, each with words that only its text has.
var licences = []struct{ name, words string }{
	{"Apache-2.0", "Apache License Version 2.0"},
	{"MIT", "Permission is hereby granted, free of charge, to any person obtaining a copy"},
	{"BSD", "Redistribution and use in source and binary forms, with or without modification, are permitted"},
	{"ISC", "Permission to use, copy, modify, and/or distribute this software for any purpose with or without fee"},
}

func TestLicencesOfDependencies(t *testing.T) {
	t.Parallel()
	found := map[string]string{}
	for _, line := range linkedModules(t) {
		path, dir, _ := strings.Cut(line, " ")
		name := licence(t, dir)
		if name == "" {
			t.Errorf("%s has none of the licences that are allowed: look at %s", path, dir)
		}
		found[path] = name
	}
	if len(found) < 10 {
		t.Errorf("only %d dependencies found: %v", len(found), found)
	}
}

// linkedModules lists "path directory" of the modules outside the repository
// that shipped packages link.
func linkedModules(t *testing.T) []string {
	t.Helper()
	args := []string{"list", "-deps", "-f", "{{with .Module}}{{if .Version}}{{.Path}} {{.Dir}}{{end}}{{end}}"}
	for _, m := range modules(t) {
		if m.Tagged() {
			args = append(args, "./"+m.Name+"/...")
		}
	}
	cmd := exec.CommandContext(t.Context(), "go", args...)
	cmd.Dir, cmd.Stderr = root, os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.FieldsFunc(string(out), func(r rune) bool { return r == '\n' })
	slices.Sort(lines)
	return slices.DeleteFunc(slices.Compact(lines), func(line string) bool {
		return strings.HasPrefix(line, "github.com/agentsandbox/")
	})
}

func licence(t *testing.T, dir string) string {
	t.Helper()
	for _, pattern := range []string{"LICEN[SC]E*", "COPYING*"} {
		paths, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			data, err := os.ReadFile(path)
			if err != nil {
				continue // a directory of licences
			}
			text := strings.Join(strings.Fields(strings.ReplaceAll(string(data), "\n> ", " ")), " ") // one of them quotes
			for _, l := range licences {
				if strings.Contains(text, l.words) {
					return l.name
				}
			}
		}
	}
	return ""
}
