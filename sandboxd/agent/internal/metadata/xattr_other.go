//go:build !linux

package metadata

import "errors"

// Replace refuses metadata where there are no extended attributes for it.
func Replace(_ string, m map[string]string) error {
	if len(m) == 0 {
		return nil
	}
	return errors.New("file metadata needs Linux")
}

// Read finds nothing here.
func Read(string) map[string]string { return nil }
