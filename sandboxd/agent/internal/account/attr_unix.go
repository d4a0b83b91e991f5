//go:build unix

package account

import (
	"os"
	"syscall"
)

// Attr makes a process run as u, and lets it end with the agent where the
// system can do that. To stay who we are needs no privilege.
func (u *User) Attr() *syscall.SysProcAttr {
	attr := &syscall.SysProcAttr{}
	dieWithParent(attr)
	if u.UID != os.Geteuid() || u.GID != os.Getegid() {
		attr.Credential = &syscall.Credential{Uid: uint32(u.UID), Gid: uint32(u.GID)}
	}
	return attr
}
