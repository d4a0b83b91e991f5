package main

import (
	"flag"
	"fmt"
	"io"
	"log/slog"
	"math"
	"os"
	"strconv"
	"strings"

	"github.com/agentsandbox/agent-sandbox/sandboxd"
)

// keyVariable names the API key. There is no flag for it: the arguments of a
// process can be read by others on the machine.
const keyVariable = "SANDBOXD_API_KEY"

// config is what the flags say.
type config struct {
	sandboxd.Options
	listen  string
	caFile  string
	verbose bool
}

func parse(args []string, stderr io.Writer) (*config, error) {
	cfg := &config{}
	fs := flag.NewFlagSet("sandboxd", flag.ContinueOnError)
	fs.SetOutput(stderr)
	cfg.define(fs)
	if err := fs.Parse(args); err != nil {
		return nil, err
	}
	if fs.NArg() > 0 {
		return nil, fmt.Errorf("unexpected argument %q: sandboxd takes flags only", fs.Arg(0))
	}
	if key := os.Getenv(keyVariable); key != "" {
		cfg.APIKeys = []string{key}
	}
	return cfg, nil
}

func (c *config) define(fs *flag.FlagSet) {
	fs.StringVar(&c.listen, "listen", "127.0.0.1:3000", "`address` to listen on; port 0 takes a free one")
	fs.StringVar(&c.Isolation, "isolation", "", "namespace, docker or none (default: namespace on Linux, docker elsewhere)")
	fs.StringVar(&c.Profile, "profile", "e2b", "service to stand for: e2b or fc")
	fs.StringVar(&c.Storage, "storage", "memory", "where the files of sandboxes are: memory or disk")
	fs.StringVar(&c.StateDir, "state-dir", "", "`directory` for what belongs to running sandboxes (default: the user's state directory)")
	fs.StringVar(&c.Workdir, "workdir", "", "`directory` where commands start (default: the user's home)")
	fs.StringVar(&c.Image, "image", "", "container `image` of docker isolation")
	fs.StringVar(&c.AgentBinary, "agent-binary", "", "Linux `executable` for docker isolation elsewhere than on Linux")
	fs.StringVar(&c.Domain, "domain", "", "`domain` under which clients reach sandboxes (default: localhost and the port)")
	fs.Func("memory", "memory of one sandbox, as 512m or 2g (default: no limit)", func(v string) error {
		n, err := parseSize(v)
		c.MemoryBytes = n
		return err
	})
	fs.IntVar(&c.Processes, "processes", 0, "processes of one sandbox (default 512)")
	fs.IntVar(&c.MaxSandboxes, "max-sandboxes", 0, "sandboxes alive at once (default 100)")
	fs.DurationVar(&c.MaxLife, "max-life", 0, "longest life of a sandbox (default 24h)")
	fs.Func("toolchain", "`directory` that sandboxes may read, with its bin on PATH; may be repeated", func(v string) error {
		c.Toolchains = append(c.Toolchains, v)
		return nil
	})
	fs.StringVar(&c.caFile, "ca-file", "", "`file` to write the certificate to that clients of https must trust")
	internet := fs.Bool("internet", true, "let sandboxes reach the internet")
	c.Internet = internet
	fs.BoolVar(&c.verbose, "verbose", false, "say on stderr what happens")
	fs.Usage = func() {
		fmt.Fprintf(fs.Output(), "usage: sandboxd [flags]\n\nThe API key is a random one, or that of the variable %s.\n\n", keyVariable)
		fs.PrintDefaults()
	}
}

// level is what gets logged.
func (c *config) level() slog.Level {
	if c.verbose {
		return slog.LevelDebug
	}
	return slog.LevelWarn
}

// parseSize reads a number of bytes with an optional unit k, m or g.
func parseSize(v string) (int64, error) {
	number, unit := strings.ToLower(v), int64(1)
	for suffix, factor := range map[string]int64{"k": 1 << 10, "m": 1 << 20, "g": 1 << 30} {
		if rest, ok := strings.CutSuffix(number, suffix); ok {
			number, unit = rest, factor
		}
	}
	n, err := strconv.ParseInt(number, 10, 64)
	if err != nil || n < 1 || n > math.MaxInt64/unit {
		return 0, fmt.Errorf("want a size like 512m or 2g")
	}
	return n * unit, nil
}
