package localtls_test

import (
	"crypto/tls"
	"crypto/x509"
	"io"
	"net"
	"net/http"
	"testing"

	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/localtls"
)

// serve answers every request with the scheme by which it came.
func serve(t *testing.T) (addr string, authority *localtls.Authority) {
	t.Helper()
	authority, err := localtls.NewAuthority()
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.TLS != nil {
			io.WriteString(w, "https")
			return
		}
		io.WriteString(w, "http")
	})}
	done := make(chan error, 1)
	go func() { done <- server.Serve(localtls.Listen(l, authority.Config())) }()
	t.Cleanup(func() {
		server.Close()
		<-done
	})
	return l.Addr().String(), authority
}

// client trusts the authority, and finds every host at addr.
func client(addr string, authority *localtls.Authority) *http.Client {
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(authority.PEM())
	return &http.Client{Transport: &http.Transport{
		DisableKeepAlives: true,
		Dial:              func(string, string) (net.Conn, error) { return net.Dial("tcp", addr) },
		TLSClientConfig:   &tls.Config{RootCAs: roots},
	}}
}

func TestOnePortServesBoth(t *testing.T) {
	t.Parallel()
	addr, authority := serve(t)
	for url, want := range map[string]string{
		"http://49999-abc.localhost/":  "http",
		"https://49999-abc.localhost/": "https",
		"https://other.example/":       "https",
		"https://" + addr + "/":        "https",
	} {
		res, err := client(addr, authority).Get(url)
		if err != nil {
			t.Errorf("get %s: %v", url, err)
			continue
		}
		got, err := io.ReadAll(res.Body)
		res.Body.Close()
		if err != nil || string(got) != want {
			t.Errorf("get %s answered %q, %v; want %q", url, got, err, want)
		}
	}
}

func TestOthersDoNotTrustIt(t *testing.T) {
	t.Parallel()
	addr, _ := serve(t)
	stranger, err := localtls.NewAuthority()
	if err != nil {
		t.Fatal(err)
	}
	if res, err := client(addr, stranger).Get("https://localhost/"); err == nil {
		res.Body.Close()
		t.Error("a client that trusts another authority got an answer")
	}
}

// A client that connects and says nothing holds nobody up.
func TestSilentClient(t *testing.T) {
	t.Parallel()
	addr, authority := serve(t)
	silent, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	res, err := client(addr, authority).Get("http://localhost/")
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
}
