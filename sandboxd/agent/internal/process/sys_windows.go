package process

import (
	"os"
	"syscall"
)

// readNow cannot read without waiting here: what is left is given up.
func readNow(syscall.RawConn, []byte) (int, error) { return 0, syscall.EWINDOWS }

func killGroup(p *os.Process) { _ = p.Kill() }

func ownSession(*syscall.SysProcAttr, bool) {}
