package config_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agentsandbox/agent-sandbox/abx/internal/config"
)

func env(pairs map[string]string) func(string) string {
	return func(name string) string { return pairs[name] }
}

func openFile(t *testing.T, text string) *config.File {
	t.Helper()
	path := filepath.Join(t.TempDir(), "config.toml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := config.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func resolve(t *testing.T, src *config.Sources) *config.Config {
	t.Helper()
	c, err := config.Resolve(src)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestStrongestSourceWins(t *testing.T) {
	t.Parallel()
	file := openFile(t, "region = \"cn-beijing\"\ntemplate = \"base\"\n")
	src := &config.Sources{
		Flags:  config.Overrides{config.Region: "us-east-1"},
		Getenv: env(map[string]string{"ALIBABA_CLOUD_REGION_ID": "cn-shanghai", "ABX_SANDBOX_API_KEY": "e2b_1", "ABX_SANDBOX_DOMAIN": ""}),
		File:   file,
	}
	c := resolve(t, src)
	for key, want := range map[config.Key]config.Value{
		config.Region:   {Value: "us-east-1", Origin: config.FromFlag},
		config.APIKey:   {Value: "e2b_1", Origin: config.FromEnvironment},
		config.Template: {Value: "base", Origin: config.FromFile},
		config.Backend:  {Value: "fc", Origin: config.FromDefault},
		config.Domain:   {Origin: config.Unset},
	} {
		if got := c.Get(key); got != want {
			t.Errorf("%s = %+v, want %+v", key, got, want)
		}
	}
}

func TestDefaultsWithoutAnySource(t *testing.T) {
	t.Parallel()
	c := resolve(t, &config.Sources{})
	if got := c.Get(config.Template).Value; got != "code-interpreter-v1" {
		t.Errorf("template = %q", got)
	}
	if got := c.Get(config.Region).Value; got != "cn-hangzhou" {
		t.Errorf("region = %q", got)
	}
}

func TestEndpoint(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		env  map[string]string
		want config.Endpoint
		err  error
	}{
		"nothing": {nil, config.Endpoint{APIURL: "https://api.cn-hangzhou.e2b.fc.aliyuncs.com", Domain: "cn-hangzhou.e2b.fc.aliyuncs.com"}, nil},
		"region": {map[string]string{"ALIBABA_CLOUD_REGION_ID": "us-west-1"},
			config.Endpoint{APIURL: "https://api.us-west-1.e2b.fc.aliyuncs.com", Domain: "us-west-1.e2b.fc.aliyuncs.com"}, nil},
		"e2b": {map[string]string{"ABX_BACKEND": "e2b"}, config.Endpoint{APIURL: "https://api.e2b.app", Domain: "e2b.app"}, nil},
		"domain only": {map[string]string{"ABX_SANDBOX_DOMAIN": "cn-hangzhou.sandbox.aliyuncs.com"},
			config.Endpoint{APIURL: "https://api.cn-hangzhou.sandbox.aliyuncs.com", Domain: "cn-hangzhou.sandbox.aliyuncs.com"}, nil},
		"base url only": {map[string]string{"ABX_SANDBOX_BASE_URL": "https://api.example.com"},
			config.Endpoint{APIURL: "https://api.example.com", Domain: "example.com"}, nil},
		"base url without api": {map[string]string{"ABX_SANDBOX_BASE_URL": "https://example.com"}, config.Endpoint{}, config.ErrIncomplete},
		"base url and sandbox url": {map[string]string{"ABX_SANDBOX_BASE_URL": "http://127.0.0.1:3000", "ABX_SANDBOX_URL": "http://127.0.0.1:3000"},
			config.Endpoint{APIURL: "http://127.0.0.1:3000", SandboxURL: "http://127.0.0.1:3000"}, nil},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := resolve(t, &config.Sources{Getenv: env(tt.env)}).Endpoint()
			if !errors.Is(err, tt.err) {
				t.Fatalf("error %v, want %v", err, tt.err)
			}
			if err == nil && *got != tt.want {
				t.Errorf("got %+v, want %+v", *got, tt.want)
			}
		})
	}
}

func TestMalformedValueNamesItsOrigin(t *testing.T) {
	t.Parallel()
	_, err := config.Resolve(&config.Sources{Getenv: env(map[string]string{"ABX_SANDBOX_API_KEY": "se cret"})})
	if err == nil || !strings.Contains(err.Error(), "ABX_SANDBOX_API_KEY") {
		t.Fatalf("error %v does not name the variable", err)
	}
	if strings.Contains(err.Error(), "se cret") {
		t.Errorf("error repeats the secret: %v", err)
	}
}

func TestUnexpandedReferenceIsNotAKey(t *testing.T) {
	t.Parallel()
	_, err := config.Resolve(&config.Sources{Getenv: env(map[string]string{"ABX_SANDBOX_API_KEY": "${ABX_SANDBOX_API_KEY}"})})
	if err == nil || !strings.Contains(err.Error(), "reference that nothing has expanded") {
		t.Fatalf("error %v does not say that the reference was not expanded", err)
	}
}

func TestDefaultPath(t *testing.T) {
	t.Parallel()
	base := t.TempDir()
	got, err := config.DefaultPath(env(map[string]string{"XDG_CONFIG_HOME": base}))
	if want := filepath.Join(base, "abx", "config.toml"); err != nil || got != want {
		t.Errorf("got %q, %v; want %q", got, err, want)
	}
}
