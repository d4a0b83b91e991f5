package safefile

import (
	"errors"
	"syscall"
)

// errSharingViolation is ERROR_SHARING_VIOLATION, which syscall does not name.
const errSharingViolation syscall.Errno = 32

// tryLock opens the file without sharing: while the handle lives, nobody else
// can open it.
func tryLock(name string) (func(), error) {
	p, err := syscall.UTF16PtrFromString(name)
	if err != nil {
		return nil, err
	}
	h, err := syscall.CreateFile(p, syscall.GENERIC_READ|syscall.GENERIC_WRITE, 0, nil,
		syscall.OPEN_ALWAYS, syscall.FILE_ATTRIBUTE_NORMAL, 0)
	if err == nil {
		return func() { syscall.CloseHandle(h) }, nil
	}
	if errors.Is(err, errSharingViolation) {
		return nil, errLocked
	}
	return nil, err
}
