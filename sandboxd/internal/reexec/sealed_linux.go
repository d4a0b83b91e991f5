package reexec

import (
	"fmt"
	"io"
	"os"
	"sync"

	"golang.org/x/sys/unix"
)

// Sealed returns this executable as a file in memory that nobody can change,
// made once in the life of the process. A sandbox that runs from it shows no
// path of the host, and works when the path is closed to the sandbox's user or
// gone. The caller must not close it.
var Sealed = sync.OnceValues(seal)

func seal() (*os.File, error) {
	image, err := os.Open("/proc/self/exe")
	if err != nil {
		return nil, fmt.Errorf("open own executable: %w", err)
	}
	defer image.Close()
	file, err := memfile(Name)
	if err != nil {
		return nil, err
	}
	if _, err := io.Copy(file, image); err != nil {
		file.Close()
		return nil, fmt.Errorf("copy own executable: %w", err)
	}
	const seals = unix.F_SEAL_WRITE | unix.F_SEAL_GROW | unix.F_SEAL_SHRINK | unix.F_SEAL_SEAL
	if _, err := unix.FcntlInt(file.Fd(), unix.F_ADD_SEALS, seals); err != nil {
		file.Close()
		return nil, fmt.Errorf("seal own executable: %w", err)
	}
	return file, nil
}

// memfile asks for an executable file, which kernels before 6.3 always give
// and do not know the flag for.
func memfile(name string) (*os.File, error) {
	const flags = unix.MFD_CLOEXEC | unix.MFD_ALLOW_SEALING
	fd, err := unix.MemfdCreate(name, flags|unix.MFD_EXEC)
	if err == unix.EINVAL {
		fd, err = unix.MemfdCreate(name, flags)
	}
	if err != nil {
		return nil, fmt.Errorf("make file in memory: %w", err)
	}
	return os.NewFile(uintptr(fd), name), nil
}
