package modproxy

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	modzip "golang.org/x/mod/zip"
)

// tracked lists the files that a release of the module directory would hold:
// those that git tracks, and new ones that it does not ignore. Packing the
// directory itself would also take build output.
func tracked(dir string) ([]modzip.File, error) {
	cmd := exec.Command("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		return nil, err
	}
	var files []modzip.File
	for name := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		path := filepath.Join(dir, name)
		if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() {
			continue // deleted but not yet committed, or a link
		}
		files = append(files, file{name: name, path: path})
	}
	return files, nil
}

type file struct{ name, path string }

func (f file) Path() string                 { return f.name }
func (f file) Lstat() (os.FileInfo, error)  { return os.Lstat(f.path) }
func (f file) Open() (io.ReadCloser, error) { return os.Open(f.path) }
