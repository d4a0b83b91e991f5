package egress_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"testing"

	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/egress"
)

// names are the hosts of a small internet; dialling any of their public
// addresses reaches the test's own server.
var names = map[string]string{
	"example.com":      "93.184.215.14",
	"api.example.com":  "93.184.215.15",
	"other.org":        "151.101.1.1",
	"v6.example.com":   "2606:2800:21f:cb07::1",
	"rebound.test":     "127.0.0.1",
	"metadata.test":    "169.254.169.254",
	"lan.test":         "192.168.1.1",
	"alibaba.test":     "100.100.100.200",
	"mapped.test":      "::ffff:10.0.0.1",
	"translated.test":  "64:ff9b::7f00:1",
	"sixtofour.test":   "2002:7f00:1::1",
	"unique-local.tld": "fd00::1",
}

func serveProxy(t *testing.T, policy *egress.Policy, target string) (string, *egress.Proxy) {
	t.Helper()
	p, err := egress.New(policy, &egress.Options{
		Lookup: func(_ context.Context, host string) ([]netip.Addr, error) {
			if addr, ok := names[host]; ok {
				return []netip.Addr{netip.MustParseAddr(addr)}, nil
			}
			return nil, errors.New("no such host")
		},
		Dial: func(ctx context.Context, network, _ string) (net.Conn, error) {
			var d net.Dialer
			return d.DialContext(ctx, network, target)
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- p.Serve(l) }()
	t.Cleanup(func() {
		l.Close()
		p.Close()
		if err := <-served; err != nil {
			t.Error(err)
		}
	})
	return l.Addr().String(), p
}

func origin(t *testing.T) *httptest.Server {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "hello %s", r.Host)
	}))
	t.Cleanup(s.Close)
	return s
}

// get fetches http://host/ through the proxy with one of its protocols.
func get(t *testing.T, proxy, scheme, host string) (status int, body string) {
	t.Helper()
	u := &url.URL{Scheme: scheme, Host: proxy}
	client := &http.Client{Transport: &http.Transport{Proxy: http.ProxyURL(u), DisableKeepAlives: true}}
	resp, err := client.Get("http://" + host + "/")
	if err != nil {
		return 0, err.Error()
	}
	defer resp.Body.Close()
	text, _ := io.ReadAll(resp.Body)
	return resp.StatusCode, string(text)
}

func TestPublicHostsAreReached(t *testing.T) {
	t.Parallel()
	proxy, _ := serveProxy(t, &egress.Policy{}, origin(t).Listener.Addr().String())
	for _, scheme := range []string{"http", "socks5h"} {
		for _, host := range []string{"example.com", "v6.example.com", "8.8.8.8"} {
			if status, body := get(t, proxy, scheme, host); status != 200 || body != "hello "+host {
				t.Errorf("%s %s: %d %q", scheme, host, status, body)
			}
		}
	}
}

func TestNearbyAddressesAreRefused(t *testing.T) {
	t.Parallel()
	proxy, _ := serveProxy(t, &egress.Policy{Allow: []string{"0.0.0.0/0", "127.0.0.1", "rebound.test"}}, origin(t).Listener.Addr().String())
	hosts := []string{
		"127.0.0.1", "[::1]", "0.0.0.0", "10.1.2.3", "172.16.0.1", "192.168.0.1", "169.254.169.254",
		"100.100.100.200", "224.0.0.1", "255.255.255.255", "[fe80::1]", "[fd12::1]", "[::ffff:127.0.0.1]",
		"rebound.test", "metadata.test", "lan.test", "alibaba.test", "mapped.test", "translated.test",
		"sixtofour.test", "unique-local.tld",
	}
	for _, host := range hosts {
		if status, body := get(t, proxy, "http", host); status != http.StatusForbidden {
			t.Errorf("http %s: %d %q, want 403", host, status, body)
		}
		if status, body := get(t, proxy, "socks5h", host); status != 0 {
			t.Errorf("socks %s: %d %q, want an error", host, status, body)
		}
	}
}

func TestTheMachinesOwnAddressesAreRefused(t *testing.T) {
	t.Parallel()
	addrs, err := net.InterfaceAddrs()
	if err != nil {
		t.Fatal(err)
	}
	proxy, _ := serveProxy(t, &egress.Policy{}, origin(t).Listener.Addr().String())
	for _, a := range addrs {
		prefix := netip.MustParsePrefix(a.String())
		host := prefix.Addr().WithZone("").String()
		if prefix.Addr().Is6() {
			host = "[" + host + "]"
		}
		if status, body := get(t, proxy, "http", host); status != http.StatusForbidden {
			t.Errorf("%s: %d %q, want 403", host, status, body)
		}
	}
}

func TestRules(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		policy  *egress.Policy
		reached map[string]bool
	}{
		"nothing": {nil, map[string]bool{"example.com": false}},
		"deny a name": {&egress.Policy{Deny: []string{"example.com"}},
			map[string]bool{"example.com": false, "EXAMPLE.com": false, "api.example.com": true, "other.org": true}},
		"deny a domain": {&egress.Policy{Deny: []string{"*.example.com"}},
			map[string]bool{"example.com": true, "api.example.com": false}},
		"deny an address": {&egress.Policy{Deny: []string{"151.101.1.1"}},
			map[string]bool{"other.org": false, "example.com": true}},
		"only one domain": {&egress.Policy{Deny: []string{"0.0.0.0/0"}, Allow: []string{"*.example.com"}},
			map[string]bool{"api.example.com": true, "v6.example.com": true, "example.com": false, "other.org": false}},
		"only one network": {&egress.Policy{Deny: []string{"0.0.0.0/0"}, Allow: []string{"93.184.0.0/16"}},
			map[string]bool{"example.com": true, "v6.example.com": false, "other.org": false}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			proxy, _ := serveProxy(t, c.policy, origin(t).Listener.Addr().String())
			for host, want := range c.reached {
				if status, body := get(t, proxy, "http", host); (status == 200) != want {
					t.Errorf("%s: %d %q, reached should be %v", host, status, body, want)
				}
			}
		})
	}
}

func TestPolicyCanChange(t *testing.T) {
	t.Parallel()
	proxy, p := serveProxy(t, &egress.Policy{}, origin(t).Listener.Addr().String())
	if err := p.SetPolicy(&egress.Policy{Deny: []string{"not a rule"}}); err == nil {
		t.Error("a rule with spaces was accepted")
	}
	if status, _ := get(t, proxy, "http", "example.com"); status != 200 {
		t.Errorf("status %d after a refused change, want 200", status)
	}
	if err := p.SetPolicy(nil); err != nil {
		t.Fatal(err)
	}
	if status, _ := get(t, proxy, "http", "example.com"); status != http.StatusForbidden {
		t.Errorf("status %d without a policy, want 403", status)
	}
}

func TestConnectCarriesBytesBothWays(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		defer conn.Close()
		text, _ := io.ReadAll(conn) // until the client has ended its half
		fmt.Fprintf(conn, "got %s", text)
	}()
	proxy, _ := serveProxy(t, &egress.Policy{}, l.Addr().String())
	conn, err := net.Dial("tcp", proxy)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprint(conn, "CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\nearly bytes")
	r := bufio.NewReader(conn)
	line, err := r.ReadString('\n')
	if err != nil || !strings.HasPrefix(line, "HTTP/1.1 200") {
		t.Fatalf("answer %q, %v", line, err)
	}
	conn.(*net.TCPConn).CloseWrite()
	rest, err := io.ReadAll(r)
	if err != nil || string(rest) != "\r\ngot early bytes" {
		t.Errorf("read %q, %v", rest, err)
	}
}

func TestRequestsThatAreNotForAProxy(t *testing.T) {
	t.Parallel()
	proxy, _ := serveProxy(t, &egress.Policy{}, origin(t).Listener.Addr().String())
	resp, err := http.Get("http://" + proxy + "/")
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusBadRequest {
		t.Errorf("status %d, want 400", resp.StatusCode)
	}
}

func TestNamesThatCannotBePermittedAreNotLookedUp(t *testing.T) {
	t.Parallel()
	for name, policy := range map[string]*egress.Policy{
		"no policy":       nil,
		"everything else": {Deny: []string{"0.0.0.0/0"}, Allow: []string{"good.test"}},
		"the name itself": {Deny: []string{"*.secret.test"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, err := egress.New(policy, &egress.Options{Lookup: func(_ context.Context, host string) ([]netip.Addr, error) {
				t.Errorf("looked up %s", host)
				return nil, errors.New("no such host")
			}})
			if err != nil {
				t.Fatal(err)
			}
			l, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			go p.Serve(l)
			defer p.Close()
			defer l.Close()
			if status, _ := get(t, l.Addr().String(), "http", "a.secret.test"); status != http.StatusForbidden {
				t.Errorf("status %d, want 403", status)
			}
		})
	}
}
