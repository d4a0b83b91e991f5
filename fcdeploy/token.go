package fcdeploy

import (
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

const tokenBytes = 32

// GenerateToken makes a bearer token in dir/.env, mode 0600, and returns it with
// the path. A token that is there already is returned as it is: a second
// deployment must not lock out the clients of the first.
func GenerateToken(dir string) (token Secret, path string, err error) {
	path = filepath.Join(dir, tokenName)
	text, err := os.ReadFile(path)
	switch {
	case err == nil:
		token, err = tokenIn(path, string(text))
		return token, path, err
	case !errors.Is(err, fs.ErrNotExist):
		return "", path, fmt.Errorf("read token: %w", err)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", path, fmt.Errorf("make output directory: %w", err)
	}
	token = newToken()
	return token, path, writeFile(path, []byte(EnvAuthToken+"="+token.Reveal()+"\n"), 0o600)
}

func newToken() Secret {
	random := make([]byte, tokenBytes)
	_, _ = rand.Read(random) // never fails: it would have ended the process
	return Secret(base64.RawURLEncoding.EncodeToString(random))
}

func tokenIn(path, text string) (Secret, error) {
	for line := range strings.Lines(text) {
		if value, ok := strings.CutPrefix(strings.TrimSpace(line), EnvAuthToken+"="); ok && value != "" {
			return Secret(value), nil
		}
	}
	return "", fmt.Errorf("read token: %s has no %s line; add one or remove the file", path, EnvAuthToken)
}

// EnvFile reads NAME=value lines of dir/.env: what [GenerateToken] wrote, and
// what the user filled in. Without the file there are none.
func EnvFile(dir string) (map[string]string, error) {
	text, err := os.ReadFile(filepath.Join(dir, tokenName))
	if errors.Is(err, fs.ErrNotExist) {
		return map[string]string{}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", tokenName, err)
	}
	env := map[string]string{}
	for line := range strings.Lines(string(text)) {
		if name, value, ok := strings.Cut(strings.TrimSpace(line), "="); ok && !strings.HasPrefix(name, "#") {
			env[strings.TrimSpace(name)] = strings.TrimSpace(value)
		}
	}
	return env, nil
}

// ReadToken reads a bearer token from a file: the first line that is neither
// empty nor a comment, without the spaces around it. A name before it, as in
// the server's own token files, is not part of it.
func ReadToken(path string) (Secret, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return "", fmt.Errorf("read token: %w", err)
	}
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line)
		if len(fields) > 0 && !strings.HasPrefix(fields[0], "#") {
			return Secret(fields[len(fields)-1]), nil
		}
	}
	return "", &FieldError{Field: "auth-token-file", Problem: path + " is empty", Fix: "put the token on its first line"}
}
