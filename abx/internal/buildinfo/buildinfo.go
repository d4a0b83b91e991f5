// Package buildinfo tells which abx this is.
package buildinfo

import "runtime/debug"

// version is set by release builds with -ldflags "-X"; a plain `go install`
// leaves it empty and the module version is used.
var version string

// Version is the released version, such as "v0.1.0", or "(devel)".
func Version() string {
	if version != "" {
		return version
	}
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(devel)"
	}
	return info.Main.Version
}
