package process

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"connectrpc.com/connect"

	"github.com/agentsandbox/agent-sandbox/sandboxclient/envd/process"
	"github.com/agentsandbox/agent-sandbox/sandboxd/agent/internal/account"
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

// environment builds the variables of a process; later layers win: the base,
// the user's identity, the sandbox's variables, the request's.
func (s *Service) environment(u *account.User, cfg *process.ProcessConfig) map[string]string {
	env := map[string]string{}
	maps.Copy(env, s.opts.BaseEnv)
	env["HOME"], env["USER"], env["LOGNAME"] = u.Home, u.Name, u.Name
	maps.Copy(env, s.opts.Settings.Get().Envs)
	maps.Copy(env, cfg.GetEnvs())
	return env
}

func list(env map[string]string) []string {
	out := make([]string, 0, len(env))
	for _, name := range slices.Sorted(maps.Keys(env)) {
		out = append(out, name+"="+env[name])
	}
	return out
}

// command describes the process without looking whether its program exists.
func (s *Service) command(u *account.User, cfg *process.ProcessConfig) (*exec.Cmd, error) {
	dir, err := s.workdir(u, cfg)
	if err != nil {
		return nil, err
	}
	env := s.environment(u, cfg)
	args := append([]string{cfg.GetCmd()}, cfg.GetArgs()...)
	path := lookPath(cfg.GetCmd(), dir, env["PATH"])
	return &exec.Cmd{Path: path, Args: args, Dir: dir, Env: list(env)}, nil
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
