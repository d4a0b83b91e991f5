package process

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"connectrpc.com/connect"

	"github.com/agentsandbox/agent-sandbox/sandboxclient/envd/process"
	"github.com/agentsandbox/agent-sandbox/sandboxd/agent/internal/account"
	"github.com/agentsandbox/agent-sandbox/sandboxd/agent/internal/environ"
)

// workdir resolves where the process starts and insists that it exists.
func (s *Service) workdir(u *account.User, cfg *process.ProcessConfig) (string, error) {
	dir, err := u.Resolve(cfg.GetCwd(), s.opts.Settings.Get().Workdir)
	if err != nil {
		return "", connect.NewError(connect.CodeInvalidArgument, err)
	}
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return "", connect.NewError(connect.CodeInvalidArgument, fmt.Errorf("cwd '%s' does not exist", dir))
	}
	return dir, nil
}

// command describes the process without looking whether its program exists.
func (s *Service) command(u *account.User, cfg *process.ProcessConfig) (*exec.Cmd, error) {
	dir, err := s.workdir(u, cfg)
	if err != nil {
		return nil, err
	}
	env := environ.Of(u, s.opts.BaseEnv, s.opts.Settings.Get().Envs, cfg.GetEnvs())
	args := append([]string{cfg.GetCmd()}, cfg.GetArgs()...)
	path := lookPath(cfg.GetCmd(), dir, env["PATH"])
	return &exec.Cmd{Path: path, Args: args, Dir: dir, Env: environ.List(env)}, nil
}

// nowhere is a path at which no program can be: exec of it says ENOENT.
const nowhere = "/dev/null/"

// lookPath finds a bare name on the PATH of the process, which need not be
// ours. Without a match the result is a path whose exec fails.
func lookPath(name, dir, path string) string {
	if strings.ContainsRune(name, '/') {
		return name
	}
	for _, in := range filepath.SplitList(path) {
		if !filepath.IsAbs(in) {
			in = filepath.Join(dir, in)
		}
		if candidate := filepath.Join(in, name); executable(candidate) {
			return candidate
		}
	}
	return nowhere
}

func executable(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0
}
