package metadata_test

import (
	"errors"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/agentsandbox/agent-sandbox/sandboxd/agent/internal/metadata"
)

func TestFromHeader(t *testing.T) {
	t.Parallel()
	h := http.Header{}
	h.Set("X-Metadata-Purpose", "test")
	h.Set("x-metadata-Two-Words", "ü=1")
	h.Set("X-Metadata-", "no key")
	h.Set("X-Other", "x")
	want := map[string]string{"purpose": "test", "two-words": "ü=1"}
	if got := metadata.FromHeader(h); !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if got := metadata.FromHeader(http.Header{"Accept": {"*/*"}}); got != nil {
		t.Errorf("without metadata: %v", got)
	}
}

func TestReplaceLeavesNothingOld(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "f")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	first := map[string]string{"a": "1", "b": strings.Repeat("x", 300)}
	err := metadata.Replace(path, first)
	if errors.Is(err, syscall.ENOTSUP) {
		t.Skipf("the temporary directory keeps no extended attributes: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	if got := metadata.Read(path); !maps.Equal(got, first) {
		t.Errorf("%v, want %v", got, first)
	}
	second := map[string]string{"b": "", "c": "3"}
	if err := metadata.Replace(path, second); err != nil {
		t.Fatal(err)
	}
	if got := metadata.Read(path); !maps.Equal(got, second) {
		t.Errorf("%v, want %v", got, second)
	}
	if err := metadata.Replace(path, nil); err != nil || metadata.Read(path) != nil {
		t.Errorf("after removing all: %v, %v", metadata.Read(path), err)
	}
}

func TestReadOfNothing(t *testing.T) {
	t.Parallel()
	if got := metadata.Read(filepath.Join(t.TempDir(), "missing")); got != nil {
		t.Errorf("%v", got)
	}
}
