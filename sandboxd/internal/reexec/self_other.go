//go:build !linux

package reexec

import "os"

func self() (string, error) { return os.Executable() }
