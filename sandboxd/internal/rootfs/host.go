package rootfs

import (
	"io/fs"
	"os"
)

// OS is the Host of this machine.
type OS struct{}

// Lstat implements Host.
func (OS) Lstat(name string) (fs.FileInfo, error) { return os.Lstat(name) }

// Readlink implements Host.
func (OS) Readlink(name string) (string, error) { return os.Readlink(name) }
