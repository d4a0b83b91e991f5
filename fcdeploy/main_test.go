package fcdeploy_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// TestMain gives the tests the emulator's credentials and nobody else's.
func TestMain(m *testing.M) {
	home, err := os.MkdirTemp("", "fcdeploy-home-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	cache, err := os.UserCacheDir() // where the go command keeps its builds
	if err != nil {
		cache = home
	}
	for name, value := range map[string]string{
		"GOCACHE": filepath.Join(cache, "go-build"),
		"HOME":    home, "USERPROFILE": home, "ALIBABA_CLOUD_ECS_METADATA_DISABLED": "true", "ALIBABA_CLOUD_SECURITY_TOKEN": "",
		"ALIBABA_CLOUD_ACCESS_KEY_ID": "test-access-key-id", "ALIBABA_CLOUD_ACCESS_KEY_SECRET": "test-access-key-secret",
	} {
		_ = os.Setenv(name, value) // fails for malformed names only
	}
	code := m.Run()
	_ = os.RemoveAll(home)
	os.Exit(code)
}
