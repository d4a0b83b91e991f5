package sandboxclient_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/agentsandbox/agent-sandbox/sandboxclient"
)

func TestHeaderOfTheContextIsSent(t *testing.T) {
	t.Parallel()
	type key struct{}
	got := make(chan http.Header, 1)
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { got <- r.Header }))
	t.Cleanup(server.Close)
	client, err := sandboxclient.New("e2b_00", &sandboxclient.Options{APIURL: server.URL, Header: func(ctx context.Context) http.Header {
		return http.Header{"Traceparent": {ctx.Value(key{}).(string)}, "X-Api-Key": {"another"}}
	}})
	if err != nil {
		t.Fatal(err)
	}
	_ = client.Kill(context.WithValue(t.Context(), key{}, "00-trace"), "sb1")
	header := <-got
	if header.Get("Traceparent") != "00-trace" {
		t.Errorf("traceparent is %q", header.Get("Traceparent"))
	}
	if header.Get("X-Api-Key") != "e2b_00" {
		t.Error("the client's own key was replaced")
	}
}
