package main

import (
	"context"
	"io"
	"strings"
	"testing"
)

func TestRunPrintsTheEnvironmentAndEnds(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	reader, writer := io.Pipe()
	done := make(chan error, 1)
	go func() { done <- run(ctx, []string{"--listen", "127.0.0.1:0"}, writer, io.Discard) }()
	text := make([]byte, 4096)
	n, err := reader.Read(text)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"export ALIBABA_CLOUD_ACCESS_KEY_ID=emulated\n", "--endpoint http://127.0.0.1:"} {
		if !strings.Contains(string(text[:n]), want) {
			t.Errorf("%q is missing in %s", want, text[:n])
		}
	}
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

func TestBadFlag(t *testing.T) {
	t.Parallel()
	if err := run(t.Context(), []string{"--nonsense"}, io.Discard, io.Discard); err == nil {
		t.Error("accepted")
	}
}
