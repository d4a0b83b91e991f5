package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

func TestCheckedInFiltersAreCurrent(t *testing.T) {
	t.Parallel()
	for goarch, info := range targets {
		want, err := generate(info)
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Join("..", fileName(goarch)))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s is out of date: run go generate ./internal/lockdown", fileName(goarch))
		}
	}
}
