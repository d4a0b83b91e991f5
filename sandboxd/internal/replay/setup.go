package replay

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Setup is one step to do before a request, as the owner of the files.
type Setup struct {
	Op      string `json:"op"`
	Path    string `json:"path"`
	Content []byte `json:"content_base64"`
	Target  string `json:"target"`
}

// Place is where the paths of the setup steps are, as seen from the test.
type Place struct {
	// Root is put in front of every path; "" is the test's own root.
	Root string
	// UID and GID own what is created; negative means nobody is asked.
	UID, GID int
}

// Do carries a step out. Nothing outside Root is touched as long as the
// directories of the captures are no links.
func (p *Place) Do(s Setup) error {
	at := filepath.Join(p.Root, s.Path)
	switch s.Op {
	case "remove":
		return os.RemoveAll(at)
	case "mkdir":
		return p.mkdir(at)
	case "write":
		return p.write(at, s.Content)
	case "symlink":
		if err := os.Symlink(s.Target, at); err != nil {
			return err
		}
		return p.own(at)
	}
	return fmt.Errorf("unknown setup operation %q", s.Op)
}

func (p *Place) write(at string, content []byte) error {
	if err := p.mkdir(filepath.Dir(at)); err != nil {
		return err
	}
	if err := os.WriteFile(at, content, 0o644); err != nil {
		return err
	}
	return p.own(at)
}

// mkdir creates the directory with its parents and gives away those it made.
func (p *Place) mkdir(at string) error {
	if _, err := os.Stat(at); err == nil {
		return nil
	}
	if parent := filepath.Dir(at); parent != at && strings.HasPrefix(parent, p.Root) {
		if err := p.mkdir(parent); err != nil {
			return err
		}
	}
	if err := os.Mkdir(at, 0o755); err != nil {
		return err
	}
	return p.own(at)
}

func (p *Place) own(at string) error {
	if p.UID < 0 {
		return nil
	}
	return os.Lchown(at, p.UID, p.GID)
}
