package process

import "syscall"

// readNow cannot read without waiting here: what is left is given up.
func readNow(syscall.RawConn, []byte) (int, error) { return 0, syscall.EWINDOWS }

func ownSession(*syscall.SysProcAttr, bool) {}
