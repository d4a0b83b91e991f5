package policy_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// source is one Go file of the repository.
type source struct {
	path   string // relative to the repository root, with slashes
	module string // directory of its module, "" for the root module
	set    *token.FileSet
	file   *ast.File
}

func (s *source) test() bool { return strings.HasSuffix(s.path, "_test.go") }

func (s *source) lines() int { return s.set.File(s.file.Pos()).LineCount() }

func (s *source) imports() []string {
	var paths []string
	for _, i := range s.file.Imports {
		if p, err := strconv.Unquote(i.Path.Value); err == nil {
			paths = append(paths, p)
		}
	}
	return paths
}

// sources parses every Go file that people wrote.
func sources(t *testing.T) []*source {
	t.Helper()
	var all []*source
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			return skipped(d.Name())
		}
		if !strings.HasSuffix(path, ".go") {
			return nil
		}
		s, err := parse(path)
		if err == nil && !ast.IsGenerated(s.file) {
			all = append(all, s)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func skipped(dir string) error {
	switch dir {
	case ".git", ".tools", "node_modules", "testdata", "bin", "dist":
		return filepath.SkipDir
	}
	return nil
}

func parse(path string) (*source, error) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, path, nil, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	rel, err := filepath.Rel(root, path)
	if err != nil {
		return nil, err
	}
	rel = filepath.ToSlash(rel)
	module, _, _ := strings.Cut(rel, "/")
	if _, known := mayImport[module]; !known {
		module = ""
	}
	return &source{path: rel, module: module, set: set, file: file}, nil
}
