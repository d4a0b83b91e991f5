package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"syscall"

	"github.com/agentsandbox/agent-sandbox/sandboxd"
)

// Exit statuses.
const (
	exitOK    = 0
	exitError = 1
	exitUsage = 2
)

func run(args []string, stdout, stderr io.Writer) int {
	cfg, err := parse(args, stderr)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return exitOK
	case err != nil:
		fmt.Fprintln(stderr, "sandboxd:", err)
		return exitUsage
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	cfg.Logger = slog.New(slog.NewTextHandler(stderr, &slog.HandlerOptions{Level: cfg.level()}))
	if err := serve(ctx, cfg, stdout); err != nil {
		fmt.Fprintln(stderr, err)
		return exitError
	}
	return exitOK
}

// serve runs the server until ctx ends.
func serve(ctx context.Context, cfg *config, stdout io.Writer) error {
	l, err := net.Listen("tcp", cfg.listen)
	if err != nil {
		return fmt.Errorf("sandboxd: %w", err)
	}
	s, err := sandboxd.New(&cfg.Options)
	if err != nil {
		return errors.Join(err, l.Close())
	}
	served := make(chan error, 1)
	go func() { served <- s.Serve(l) }()
	if err := cfg.tell(s, l, stdout); err != nil {
		return errors.Join(err, s.Close(), <-served)
	}
	select {
	case <-ctx.Done():
		return errors.Join(s.Close(), <-served)
	case err := <-served:
		return errors.Join(err, s.Close())
	}
}

// tell writes what clients need to know; whoever reads it may connect.
func (c *config) tell(s *sandboxd.Server, l net.Listener, stdout io.Writer) error {
	if c.caFile != "" {
		if err := os.WriteFile(c.caFile, s.CACertificate(), 0o644); err != nil {
			return fmt.Errorf("write certificate: %w", err)
		}
	}
	return s.WriteEnv(stdout, sandboxd.BaseURL(l))
}
