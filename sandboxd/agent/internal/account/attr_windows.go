package account

import "syscall"

// Attr is empty: here every process runs as the user of the agent.
func (u *User) Attr() *syscall.SysProcAttr { return &syscall.SysProcAttr{} }
