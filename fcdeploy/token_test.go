package fcdeploy_test

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agentsandbox/agent-sandbox/fcdeploy"
)

func TestGenerateTokenKeepsTheFirst(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "out")
	first, path, err := fcdeploy.GenerateToken(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(first) < 43 { // 32 bytes in base64
		t.Errorf("token of %d characters", len(first))
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode() != 0o600 {
		t.Errorf("token file: %v %v", info, err)
	}
	second, _, err := fcdeploy.GenerateToken(dir)
	if err != nil || second != first {
		t.Errorf("second token differs (%v)", err)
	}
	// The directory counts as ours from here on.
	if err := fcdeploy.CheckOutputDir(dir); err != nil {
		t.Error(err)
	}
}

func TestGenerateTokenRefusesAForeignFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, ".env"), []byte("DATABASE=x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := fcdeploy.GenerateToken(dir); err == nil {
		t.Error("took a .env without a token for ours")
	}
}

func TestReadToken(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"abc\n": "abc", "abc": "abc", "abc\r\n": "abc", "\n# note\n  abc  \n": "abc", "laptop abc\nother def\n": "abc", "": "", "# only\n": "",
	} {
		path := filepath.Join(t.TempDir(), "token")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := fcdeploy.ReadToken(path)
		if got.Reveal() != want || (err == nil) != (want != "") {
			t.Errorf("%q: got %q, %v, want %q", text, got.Reveal(), err, want)
		}
	}
}

func TestSecretIsNeverFormatted(t *testing.T) {
	t.Parallel()
	secret := fcdeploy.Secret("hidden-value")
	var log strings.Builder
	slog.New(slog.NewJSONHandler(&log, nil)).Info("x", "secret", secret)
	for _, text := range []string{fmt.Sprint(secret), fmt.Sprintf("%s %v %q", secret, secret, secret),
		fmt.Sprintf("%#v %+v", secret, struct{ S fcdeploy.Secret }{secret}), log.String()} {
		if strings.Contains(text, "hidden") {
			t.Errorf("shown: %s", text)
		}
	}
}
