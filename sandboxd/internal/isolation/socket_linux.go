package isolation

import (
	"fmt"
	"os"
)

// maxSocketPath is the size of sun_path less the final zero and the name.
const maxSocketPath = 107 - 1 - len(socketName)

// shortPath names the directory so that a socket address can hold it.
func shortPath(dir *os.File, path string) string {
	if len(path) <= maxSocketPath {
		return path
	}
	return fmt.Sprintf("/proc/self/fd/%d", dir.Fd())
}
