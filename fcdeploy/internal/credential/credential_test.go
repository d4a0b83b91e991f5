package credential_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agentsandbox/agent-sandbox/fcdeploy"
	"github.com/agentsandbox/agent-sandbox/fcdeploy/internal/credential"
)

// clean gives the test a machine without credentials.
func clean(t *testing.T) string {
	t.Helper()
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	for _, name := range []string{"ALIBABA_CLOUD_ACCESS_KEY_ID", "ALIBABA_CLOUD_ACCESS_KEY_SECRET", "ALIBABA_CLOUD_SECURITY_TOKEN",
		"ALIBABA_CLOUD_CREDENTIALS_URI", "ALIBABA_CLOUD_CREDENTIALS_FILE", "ALIBABA_CLOUD_CONFIG_FILE", "ALIBABA_CLOUD_PROFILE",
		"ALIBABA_CLOUD_ROLE_ARN", "ALIBABA_CLOUD_OIDC_PROVIDER_ARN", "ALIBABA_CLOUD_OIDC_TOKEN_FILE", "ALIBABA_CLOUD_ECS_METADATA_DISABLED"} {
		t.Setenv(name, "")
	}
	return home
}

func TestNoneFound(t *testing.T) {
	clean(t)
	_, err := credential.Find(false)
	if _, ok := errors.AsType[*fcdeploy.CredentialsError](err); !ok || !strings.Contains(err.Error(), "ALIBABA_CLOUD_ACCESS_KEY_ID") {
		t.Errorf("got %v", err)
	}
}

func TestEnvironment(t *testing.T) {
	clean(t)
	t.Setenv("ALIBABA_CLOUD_ACCESS_KEY_ID", "LTAI0123456789abcdef")
	t.Setenv("ALIBABA_CLOUD_ACCESS_KEY_SECRET", "the-secret")
	provider, err := credential.Find(false)
	if err != nil {
		t.Fatal(err)
	}
	if got := provider.String(); !strings.Contains(got, "LTAI****") || strings.Contains(got, "0123") || strings.Contains(got, "the-secret") {
		t.Errorf("identity: %s", got)
	}
}

func TestCLIProfile(t *testing.T) {
	home := clean(t)
	dir := filepath.Join(home, ".aliyun")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	config := `{"current":"default","profiles":[{"name":"default","mode":"AK","access_key_id":"cli-key-0123456789","access_key_secret":"s"}]}`
	if err := os.WriteFile(filepath.Join(dir, "config.json"), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	provider, err := credential.Find(false)
	if err != nil {
		t.Fatal(err)
	}
	if got := provider.String(); !strings.Contains(got, "cli-") {
		t.Errorf("identity: %s", got)
	}
}

func TestCheckDebug(t *testing.T) {
	for value, refused := range map[string]bool{"": false, "app": false, "dara": true, "app,tea": true, "credential": true, "daras": false} {
		t.Setenv("DEBUG", value)
		if err := credential.CheckDebug(); (err != nil) != refused {
			t.Errorf("DEBUG=%s: %v", value, err)
		}
	}
}
