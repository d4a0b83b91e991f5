package account

import "syscall"

// dieWithParent lets the kernel kill the process when the agent is killed.
func dieWithParent(attr *syscall.SysProcAttr) { attr.Pdeathsig = syscall.SIGKILL }
