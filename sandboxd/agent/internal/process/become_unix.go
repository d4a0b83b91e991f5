//go:build unix

package process

import (
	"os"
	"os/exec"
	"syscall"

	"github.com/agentsandbox/agent-sandbox/sandboxd/agent/internal/account"
)

// become makes cmd run in a session of its own, as the given user. With a
// terminal, descriptor 0 becomes the controlling one.
func become(cmd *exec.Cmd, u *account.User, tty bool) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: tty}
	dieWithParent(cmd.SysProcAttr)
	if u.UID == os.Geteuid() && u.GID == os.Getegid() {
		return // no privilege is needed to stay who we are
	}
	cmd.SysProcAttr.Credential = &syscall.Credential{Uid: uint32(u.UID), Gid: uint32(u.GID)}
}
