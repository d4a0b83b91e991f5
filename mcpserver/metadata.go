package mcpserver

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
)

// Labels on every sandbox this module creates, so that what a crash left can
// be found and reaped.
const (
	MetadataOwner    = "abx.owner"    // principal of the session
	MetadataInstance = "abx.instance" // hash of host, boot, pid and start time
	MetadataSession  = "abx.session"  // hash of the session id
	MetadataVersion  = "abx.version"  // version of the server
)

func sandboxMetadata(opts *Options, who *SessionOptions) map[string]string {
	labels := map[string]string{
		MetadataOwner:    who.Principal,
		MetadataInstance: opts.instance(),
		MetadataSession:  shortHash("session", who.ID),
		MetadataVersion:  opts.version(),
	}
	if who.Shared {
		delete(labels, MetadataInstance) // they are not left over when this process is gone
	}
	return labels
}

// shortHash is the first 16 hex digits of a hash over parts.
func shortHash(parts ...string) string {
	h := sha256.New()
	for _, part := range parts {
		fmt.Fprintf(h, "%d:%s", len(part), part)
	}
	return hex.EncodeToString(h.Sum(nil))[:16]
}
