package metadata

import (
	"errors"
	"fmt"
	"strings"
	"syscall"
)

// attrPrefix is the name space of our attributes of a file.
const attrPrefix = "user.e2b."

// Replace makes m the metadata of the file at path; nothing of an earlier
// upload is left.
func Replace(path string, m map[string]string) error {
	for key := range Read(path) {
		if _, kept := m[key]; kept {
			continue
		}
		if err := syscall.Removexattr(path, attrPrefix+key); err != nil {
			return fmt.Errorf("remove metadata %q: %w", key, err)
		}
	}
	for key, value := range m {
		if err := syscall.Setxattr(path, attrPrefix+key, []byte(value), 0); err != nil {
			return fmt.Errorf("set metadata %q: %w", key, err)
		}
	}
	return nil
}

// Read returns the metadata of the file at path, nil when it has none or
// cannot be asked.
func Read(path string) map[string]string {
	names := attribute(func(buf []byte) (int, error) { return syscall.Listxattr(path, buf) })
	var m map[string]string
	for name := range strings.SplitSeq(string(names), "\x00") {
		key, ours := strings.CutPrefix(name, attrPrefix)
		if !ours {
			continue
		}
		if m == nil {
			m = map[string]string{}
		}
		m[key] = string(attribute(func(buf []byte) (int, error) { return syscall.Getxattr(path, name, buf) }))
	}
	return m
}

// attribute reads a value of unknown size: it asks for the size until the
// value fits, as it may grow in between.
func attribute(get func([]byte) (int, error)) []byte {
	for {
		size, err := get(nil)
		if err != nil || size == 0 {
			return nil
		}
		buf := make([]byte, size)
		n, err := get(buf)
		if err == nil {
			return buf[:n]
		}
		if !errors.Is(err, syscall.ERANGE) {
			return nil
		}
	}
}
