//go:build unix

package state

import (
	"fmt"
	"os"
	"syscall"
)

// tryLock takes the lock unless another open file has it. The kernel frees it
// with the last copy of the descriptor, however the process ends.
func tryLock(f *os.File) bool {
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil
}

// ownerGone reports whether nobody holds the lock any more.
func ownerGone(f *os.File) bool { return tryLock(f) }

// checkOwner refuses a directory that somebody else made, as anyone can below
// a shared temporary directory.
func checkOwner(path string) error {
	info, err := os.Lstat(path)
	if err != nil {
		return fmt.Errorf("check state directory: %w", err)
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok || !info.IsDir() || int(stat.Uid) != os.Geteuid() || info.Mode().Perm()&0o022 != 0 {
		return fmt.Errorf("state directory %s is not a directory that only this user can write", path)
	}
	return nil
}
