package egress

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strings"
	"time"
)

// ErrRefused is what errors.Is finds when the policy, not the network, kept a
// connection from being made.
var ErrRefused = errors.New("refused by the sandbox's network policy")

const dialTimeout = 30 * time.Second

// dial connects to the first address of the host that may be reached. The
// address that was judged is the one that is dialled, so a name that answers
// differently the second time gains nothing.
func (p *Proxy) dial(ctx context.Context, host, port string) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, dialTimeout)
	defer cancel()
	addrs, err := p.resolve(ctx, host)
	if err != nil {
		return nil, err
	}
	for _, addr := range addrs {
		var conn net.Conn
		if conn, err = p.opts.Dial(ctx, "tcp", net.JoinHostPort(addr.String(), port)); err == nil {
			return conn, nil
		}
	}
	return nil, fmt.Errorf("connect to %s: %w", net.JoinHostPort(host, port), err)
}

// resolve returns the addresses of the host that may be reached, at least one.
func (p *Proxy) resolve(ctx context.Context, host string) ([]netip.Addr, error) {
	name, addrs := strings.ToLower(strings.TrimSuffix(host, ".")), []netip.Addr(nil)
	if addr, err := netip.ParseAddr(host); err == nil {
		name, addrs = "", []netip.Addr{addr}
	} else if rules := p.rules.Load(); rules == nil || rules.hopeless(name) {
		// A question to a name server carries words out of the sandbox, so
		// it is not asked in vain.
		return nil, fmt.Errorf("%s: %w", host, ErrRefused)
	} else if addrs, err = p.opts.Lookup(ctx, name); err != nil {
		return nil, fmt.Errorf("resolve %s: %w", host, err)
	}
	permitted := p.filter(name, addrs)
	if len(permitted) == 0 {
		return nil, fmt.Errorf("%s: %w", host, ErrRefused)
	}
	return permitted, nil
}

func (p *Proxy) filter(name string, addrs []netip.Addr) []netip.Addr {
	rules := p.rules.Load()
	if rules == nil {
		return nil
	}
	own := ownAddresses()
	var permitted []netip.Addr
	for _, addr := range addrs {
		addr = addr.Unmap()
		if public(addr) && !own[addr] && rules.permits(name, addr) {
			permitted = append(permitted, addr)
		}
	}
	return permitted
}

func lookup(ctx context.Context, host string) ([]netip.Addr, error) {
	return net.DefaultResolver.LookupNetIP(ctx, "ip", host)
}
