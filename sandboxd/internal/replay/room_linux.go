package replay

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"

	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/proctree"
)

// launch starts the room in its namespaces. It is the first process of its
// pid namespace, so that everything in it dies with it.
func (r *Room) launch() error {
	if os.Geteuid() != 0 {
		return ErrNoRoom
	}
	r.cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags: syscall.CLONE_NEWNS | syscall.CLONE_NEWPID,
		Pdeathsig:  syscall.SIGKILL,
	}
	// Agents that run in this process mark what they start; a room must not
	// inherit such a mark and be killed as theirs.
	err := proctree.StartPlain(r.cmd.Start)
	if errors.Is(err, syscall.EPERM) {
		return fmt.Errorf("%w (%w)", ErrNoRoom, err)
	}
	return err
}

// furnish runs inside: it hides the machine's homes and temporary files and
// makes the users of the captures.
func furnish() error {
	syscall.Umask(0o022)
	if err := syscall.Mount("", "/", "", syscall.MS_REC|syscall.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("make mounts private: %w", err)
	}
	for dir, mode := range map[string]string{"/home": "mode=755", "/root": "mode=700", "/tmp": "mode=1777"} {
		if err := syscall.Mount("tmpfs", dir, "tmpfs", syscall.MS_NOSUID|syscall.MS_NODEV, mode); err != nil {
			return fmt.Errorf("mount %s: %w", dir, err)
		}
	}
	if err := os.Mkdir(userHome, 0o755); err != nil {
		return err
	}
	if err := os.Chown(userHome, userID, userID); err != nil {
		return err
	}
	if err := replace("/etc/passwd", passwd); err != nil {
		return err
	}
	return replace("/etc/group", groups)
}

// replace puts other content over a file of the machine, in this room only.
func replace(path, content string) error {
	from := filepath.Join("/root", filepath.Base(path))
	if err := os.WriteFile(from, []byte(content), 0o644); err != nil {
		return err
	}
	if err := syscall.Mount(from, path, "", syscall.MS_BIND, ""); err != nil {
		return fmt.Errorf("bind %s: %w", path, err)
	}
	return nil
}
