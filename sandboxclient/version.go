package sandboxclient

import (
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
)

const modulePath = "github.com/agentsandbox/agent-sandbox/sandboxclient"

// ownUserAgent is the module's name and, when the build knows it, version.
var ownUserAgent = sync.OnceValue(func() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "agent-sandbox-go"
	}
	for _, m := range append(info.Deps, &info.Main) {
		if m.Path == modulePath && strings.HasPrefix(m.Version, "v") {
			return "agent-sandbox-go/" + m.Version
		}
	}
	return "agent-sandbox-go"
})

// envdVersion is a version of envd, compared by its three numbers. The
// features of a sandbox follow from it (envd contract).
type envdVersion [3]int

var (
	envdDefaultUser  = envdVersion{0, 4, 0} // takes its default user when none is named
	envdOctetStream  = envdVersion{0, 5, 7} // raw uploads
	envdCloseStdin   = envdVersion{0, 5, 2}
	envdMetadata     = envdVersion{0, 6, 2} // file metadata
	envdIncludeEntry = envdVersion{0, 6, 3} // entries in watch events
	envdProtobuf     = envdVersion{0, 6, 0} // seen to take binary messages
	envdRecursive    = envdVersion{0, 1, 4} // recursive watch
)

// parseEnvdVersion reads "0.6.13" or "v0.6.13-x"; what it cannot read is 0,
// the version with the fewest features.
func parseEnvdVersion(text string) envdVersion {
	var v envdVersion
	text, _, _ = strings.Cut(strings.TrimPrefix(text, "v"), "-")
	for i, part := range strings.SplitN(text, ".", 3) {
		n, err := strconv.Atoi(part)
		if err != nil {
			return envdVersion{}
		}
		v[i] = n
	}
	return v
}

func (v envdVersion) atLeast(w envdVersion) bool {
	for i := range v {
		if v[i] != w[i] {
			return v[i] > w[i]
		}
	}
	return true
}
