package policy_test

import (
	"go/ast"
	"path"
	"strings"
	"testing"
)

// Above these a file or function needs a reason, written as a comment that
// begins "Long because".
const (
	maxFileLines     = 300
	maxFunctionLines = 60
	reasonMark       = "Long because"
)

func TestFilesAreShort(t *testing.T) {
	t.Parallel()
	for _, s := range sources(t) {
		if n := s.lines(); !s.test() && n > maxFileLines && !s.comments(s.file, reasonMark) {
			t.Errorf("%s has %d lines: split it, or say %q in a comment", s.path, n, reasonMark+" …")
		}
	}
}

func TestFunctionsAreShort(t *testing.T) {
	t.Parallel()
	for _, s := range sources(t) {
		for _, d := range s.file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || s.test() {
				continue
			}
			n := s.set.Position(f.End()).Line - s.set.Position(f.Pos()).Line + 1
			if n > maxFunctionLines && !s.comments(f, reasonMark) && !strings.Contains(f.Doc.Text(), reasonMark) {
				t.Errorf("%s: %s has %d lines: split it, or say %q in its comment", s.path, f.Name.Name, n, reasonMark+" …")
			}
		}
	}
}

func (s *source) comments(within ast.Node, mark string) bool {
	for _, c := range s.file.Comments {
		if c.Pos() >= within.Pos() && c.End() <= within.End() && strings.Contains(c.Text(), mark) {
			return true
		}
	}
	return within == s.file && strings.Contains(s.file.Doc.Text(), mark)
}

func TestEveryPackageIsDocumented(t *testing.T) {
	t.Parallel()
	documented := map[string]bool{}
	for _, s := range sources(t) {
		if s.test() {
			continue
		}
		dir := path.Dir(s.path)
		documented[dir] = documented[dir] || s.file.Doc != nil
	}
	for dir, ok := range documented {
		if !ok {
			t.Errorf("%s: the package has no doc comment", dir)
		}
	}
}

func TestExportedNamesAreDocumented(t *testing.T) {
	t.Parallel()
	for _, s := range sources(t) {
		if s.test() || s.file.Name.Name == "main" {
			continue
		}
		for _, d := range s.file.Decls {
			for _, name := range undocumented(d) {
				t.Errorf("%s: %s has no doc comment", s.path, name)
			}
		}
	}
}

func undocumented(d ast.Decl) []string {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Doc == nil && d.Name.IsExported() && exportedReceiver(d) {
			return []string{d.Name.Name}
		}
	case *ast.GenDecl:
		if d.Doc == nil {
			return undocumentedSpecs(d)
		}
	}
	return nil
}

func undocumentedSpecs(d *ast.GenDecl) []string {
	var names []string
	for _, spec := range d.Specs {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			if spec.Doc == nil && spec.Name.IsExported() {
				names = append(names, spec.Name.Name)
			}
		case *ast.ValueSpec:
			if spec.Doc == nil && spec.Comment == nil && spec.Names[0].IsExported() {
				names = append(names, spec.Names[0].Name)
			}
		}
	}
	return names
}

func exportedReceiver(f *ast.FuncDecl) bool {
	if f.Recv == nil {
		return true
	}
	t := f.Recv.List[0].Type
	if star, ok := t.(*ast.StarExpr); ok {
		t = star.X
	}
	if index, ok := t.(*ast.IndexExpr); ok {
		t = index.X
	}
	ident, ok := t.(*ast.Ident)
	return ok && ident.IsExported()
}
