//go:build unix && !linux

package account

import "syscall"

func dieWithParent(*syscall.SysProcAttr) {}
