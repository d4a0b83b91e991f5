// Package egress lets a sandbox that has no network reach the internet, and
// nothing else: a proxy that resolves names itself and refuses every address
// of this machine and of the networks behind it.
package egress

// Policy says what a sandbox may reach. The zero Policy allows the whole
// public internet.
type Policy struct {
	// Allow, when not empty, is all that may be reached: host names, names
	// with a leading "*." for a whole domain, addresses, CIDR prefixes.
	Allow []string
	// Deny refuses what it names, in the same forms; Allow wins over it.
	Deny []string
}
