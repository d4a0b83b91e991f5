package fc2

import (
	"errors"
	"strings"
	"testing"
	"time"

	fc "github.com/aliyun/fc-go-sdk"

	"github.com/agentsandbox/agent-sandbox/fcdeploy"
	"github.com/agentsandbox/agent-sandbox/fcdeploy/fctest"
)

func credentials(t *testing.T) {
	t.Helper()
	t.Setenv("HOME", t.TempDir())
	t.Setenv("ALIBABA_CLOUD_ACCESS_KEY_ID", "test-access-key-id")
	t.Setenv("ALIBABA_CLOUD_ACCESS_KEY_SECRET", "test-access-key-secret")
}

func TestForeignServiceIsLeftAlone(t *testing.T) {
	credentials(t)
	server := fctest.NewServer(nil)
	defer func() { _ = server.Close() }()
	driver, err := New(&Options{Endpoint: server.URL, RetryDelay: time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := driver.client.CreateService(fc.NewCreateServiceInput().WithServiceName("theirs").WithDescription("mine")); err != nil {
		t.Fatal(err)
	}
	_, err = driver.Function(t.Context(), "theirs")
	if _, ok := errors.AsType[*fcdeploy.NotOursError](err); !ok {
		t.Errorf("got %v", err)
	}
}

func TestEndpoint(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		options Options
		want    string
	}{
		{Options{AccountID: "123"}, "https://123.cn-hangzhou.fc.aliyuncs.com"},
		{Options{AccountID: "123", Region: "us-west-1"}, "https://123.us-west-1.fc.aliyuncs.com"},
		{Options{Endpoint: "123.us-west-1.fc.aliyuncs.com"}, "https://123.us-west-1.fc.aliyuncs.com"},
		{Options{Endpoint: "http://127.0.0.1:1/"}, "http://127.0.0.1:1"},
	} {
		if got, err := test.options.endpoint(); got != test.want || err != nil {
			t.Errorf("%+v: %q, %v", test.options, got, err)
		}
	}
	if _, err := New(nil); err == nil || !strings.Contains(err.Error(), "account-id") {
		t.Errorf("without an account: %v", err)
	}
}
