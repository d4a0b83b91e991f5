//go:build linux && !amd64 && !arm64

package lockdown

import "golang.org/x/sys/unix"

var filter []unix.SockFilter
