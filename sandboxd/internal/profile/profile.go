// Package profile names the services that sandboxd can stand in for, and what
// a client can see of the difference between them.
package profile

import (
	"crypto/rand"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Profile is one service.
type Profile struct {
	Name string
	// EnvdVersion is what create and connect report; clients choose by it how
	// they upload and which calls exist.
	EnvdVersion string
	// NewID makes the id of a sandbox.
	NewID func() string
	// DashedIDs: an id may contain dashes, so none is cut off as the suffix
	// that old clients append.
	DashedIDs bool
	// CreateV2 says that POST /v2/sandboxes and …/connect are served.
	CreateV2 bool
	// TokenOnEveryPort: the gateway asks for the access token of a secure
	// sandbox on every port, not only envd.
	TokenOnEveryPort bool
	// Logs says that the log calls have content; FC answers empty lists.
	Logs bool
	// EgressProxy says that a sandbox may name a proxy of its own for its
	// traffic; FC refuses one.
	EgressProxy bool
	// MaxLife is what the service allows a sandbox at most, where it says so.
	MaxLife time.Duration
}

// The profiles.
var (
	E2B = &Profile{
		Name: "e2b", EnvdVersion: "0.6.13", NewID: shortID, CreateV2: true, Logs: true,
		EgressProxy: true, MaxLife: 24 * time.Hour,
	}
	FC = &Profile{
		Name: "fc", EnvdVersion: "0.5.2", NewID: dashedID, DashedIDs: true, TokenOnEveryPort: true,
		MaxLife: 24 * time.Hour,
	}
)

// Named finds a profile; "" is E2B.
func Named(name string) (*Profile, error) {
	all := []*Profile{E2B, FC}
	if name == "" {
		return E2B, nil
	}
	if i := slices.IndexFunc(all, func(p *Profile) bool { return p.Name == name }); i >= 0 {
		return all[i], nil
	}
	return nil, fmt.Errorf("profile %q is not known: want e2b or fc", name)
}

// shortID is an id as E2B makes them: "i" and 20 of [a-z0-9].
func shortID() string {
	return "i" + strings.ToLower(rand.Text())[:20]
}

// dashedID is an id as FC makes them: "sbx-" and a random UUID.
func dashedID() string {
	var b [16]byte
	rand.Read(b[:]) // never fails: it ends the program instead
	b[6] = b[6]&0x0f | 0x40
	b[8] = b[8]&0x3f | 0x80
	return fmt.Sprintf("sbx-%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}
