// Package egress lets a sandbox that has no network reach the internet, and
// nothing else: a proxy that resolves names itself and refuses every address
// of this machine and of the networks behind it.
package egress

import (
	"fmt"
	"net/netip"
	"strings"
)

// Policy says what a sandbox may reach. The zero Policy allows the whole
// public internet; nothing allows more.
type Policy struct {
	// Deny refuses what it names: host names, names with a leading "*." for
	// everything below a domain, addresses, CIDR prefixes. "0.0.0.0/0" stands
	// for every address, of IPv6 too.
	Deny []string
	// Allow excepts what it names, in the same forms, from Deny.
	Allow []string
}

// rules are a policy ready to be asked.
type rules struct{ deny, allow []rule }

// rule is a name or a prefix.
type rule struct {
	name   string // lower case; a leading dot stands for everything below
	prefix netip.Prefix
	all    bool
}

func (p *Policy) compile() (*rules, error) {
	deny, err := parseRules(p.Deny)
	if err != nil {
		return nil, err
	}
	allow, err := parseRules(p.Allow)
	if err != nil {
		return nil, err
	}
	return &rules{deny, allow}, nil
}

func parseRules(texts []string) ([]rule, error) {
	parsed := make([]rule, 0, len(texts))
	for _, text := range texts {
		r, err := parseRule(text)
		if err != nil {
			return nil, err
		}
		parsed = append(parsed, r)
	}
	return parsed, nil
}

func parseRule(text string) (rule, error) {
	text = strings.ToLower(strings.TrimSpace(text))
	if prefix, err := netip.ParsePrefix(text); err == nil {
		return rule{prefix: prefix.Masked(), all: prefix.Bits() == 0}, nil
	}
	if addr, err := netip.ParseAddr(text); err == nil {
		return rule{prefix: netip.PrefixFrom(addr.Unmap(), addr.Unmap().BitLen())}, nil
	}
	name := strings.TrimSuffix(text, ".")
	if domain, ok := strings.CutPrefix(name, "*"); ok {
		name = domain
	}
	if name == "" || strings.ContainsAny(name, " /:*") || strings.HasPrefix(strings.TrimPrefix(name, "."), ".") {
		return rule{}, fmt.Errorf("rule %q is not an address, a network or a host name", text)
	}
	return rule{name: name}, nil
}

// permits decides about one address of a host. host is "" when the sandbox
// gave an address.
func (r *rules) permits(host string, addr netip.Addr) bool {
	return !matchAny(r.deny, host, addr) || matchAny(r.allow, host, addr)
}

// hopeless reports whether no address could make the host permitted.
func (r *rules) hopeless(host string) bool {
	for _, a := range r.allow {
		if a.name == "" || a.match(host, netip.Addr{}) {
			return false
		}
	}
	return matchAny(r.deny, host, netip.Addr{})
}

func matchAny(list []rule, host string, addr netip.Addr) bool {
	for _, r := range list {
		if r.match(host, addr) {
			return true
		}
	}
	return false
}

func (r *rule) match(host string, addr netip.Addr) bool {
	switch {
	case r.all:
		return true
	case r.name == "":
		return r.prefix.Contains(addr)
	case r.name[0] == '.':
		return strings.HasSuffix(host, r.name)
	}
	return host == r.name
}
