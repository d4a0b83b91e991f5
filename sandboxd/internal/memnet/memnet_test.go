package memnet_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"testing"

	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/memnet"
)

func TestHTTPWithoutAPort(t *testing.T) {
	t.Parallel()
	l := memnet.Listen()
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, r.Host)
	})}
	served := make(chan error, 1)
	go func() { served <- server.Serve(l) }()
	client := &http.Client{Transport: &http.Transport{DialContext: l.DialContext}}
	for _, host := range []string{"anything", "49983-iabc.example.com"} {
		res, err := client.Get("http://" + host + "/")
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(res.Body)
		res.Body.Close()
		if err != nil || string(body) != host {
			t.Errorf("host %s: %q, %v", host, body, err)
		}
	}
	if err := server.Shutdown(t.Context()); err != nil {
		t.Error(err)
	}
	if err := <-served; !errors.Is(err, http.ErrServerClosed) {
		t.Errorf("serve: %v", err)
	}
	if _, err := l.DialContext(t.Context(), "", ""); !errors.Is(err, net.ErrClosed) {
		t.Errorf("dial after close: %v", err)
	}
}

func TestDialThatNobodyAccepts(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := memnet.Listen().DialContext(ctx, "", ""); !errors.Is(err, context.Canceled) {
		t.Errorf("dial: %v", err)
	}
}
