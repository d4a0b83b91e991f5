// Command fcemu runs the emulator of package fctest as a server, for trying a
// deployment without an account:
//
//	fcemu --listen 127.0.0.1:9001
//
// It prints the environment and the flags that "abx mcp deploy" needs.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/agentsandbox/agent-sandbox/fcdeploy/fctest"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "fcemu:", err)
		os.Exit(1)
	}
}

// run serves until ctx ends.
func run(ctx context.Context, args []string, out, errOut io.Writer) error {
	options, err := parse(args, errOut)
	if err != nil {
		return err
	}
	server, err := fctest.Start(options)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "export ALIBABA_CLOUD_ACCESS_KEY_ID=%s\nexport ALIBABA_CLOUD_ACCESS_KEY_SECRET=%s\n# abx mcp deploy --apply --endpoint %s --region %s\n",
		options.AccessKeyID, options.AccessKeySecret, server.URL, options.Region)
	<-ctx.Done()
	return server.Close()
}

func parse(args []string, errOut io.Writer) (*fctest.Options, error) {
	options := &fctest.Options{Output: errOut}
	flags := flag.NewFlagSet("fcemu", flag.ContinueOnError)
	flags.SetOutput(errOut)
	flags.StringVar(&options.Addr, "listen", "127.0.0.1:9001", "address of the management APIs")
	flags.StringVar(&options.Region, "region", "cn-hangzhou", "region to play")
	flags.StringVar(&options.AccessKeyID, "access-key-id", "emulated", "key id to accept")
	flags.StringVar(&options.AccessKeySecret, "access-key-secret", "emulated", "its secret")
	flags.IntVar(&options.ReadyAfter, "ready-after", 0, "reads that still see a function that is not ready")
	return options, flags.Parse(args)
}
