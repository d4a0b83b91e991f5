//go:build unix

package process

import "syscall"

// readNow reads once without waiting; n is 0 or err is set when nothing is there.
func readNow(conn syscall.RawConn, buf []byte) (n int, err error) {
	outer := conn.Read(func(fd uintptr) bool {
		n, err = syscall.Read(int(fd), buf)
		return true
	})
	if outer != nil {
		return 0, outer
	}
	return n, err
}
