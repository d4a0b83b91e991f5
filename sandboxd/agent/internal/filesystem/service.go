// Package filesystem is the filesystem service of envd: it looks at files and
// directories, changes them, and watches for changes.
package filesystem

import (
	"context"
	"errors"
	"io/fs"

	"connectrpc.com/connect"

	"github.com/agentsandbox/agent-sandbox/sandboxclient/envd/filesystem/filesystemconnect"
	"github.com/agentsandbox/agent-sandbox/sandboxd/agent/internal/account"
	"github.com/agentsandbox/agent-sandbox/sandboxd/agent/internal/settings"
)

// Options say whose file system it is.
type Options struct {
	Settings *settings.Store
	Users    *account.Table
	// Modern adds entries to watch events that ask for them (envd 0.6.3).
	Modern bool
}

// Service implements the handler of filesystem.Filesystem.
type Service struct {
	opts     Options
	watchers watchers
}

var _ filesystemconnect.FilesystemHandler = (*Service)(nil)

// New makes a service without watchers.
func New(opts *Options) *Service { return &Service{opts: *opts} }

// Close ends the watchers that clients have left.
func (s *Service) Close() { s.watchers.close() }

var errNoUser = errors.New("request carries no user")

// resolve finds the user of a call and the absolute form of its path.
func (s *Service) resolve(ctx context.Context, path string) (*account.User, string, error) {
	u := account.FromContext(ctx)
	if u == nil {
		return nil, "", connect.NewError(connect.CodeInternal, errNoUser)
	}
	abs, err := u.Resolve(path, s.opts.Settings.Get().Workdir)
	if err != nil {
		return nil, "", connect.NewError(connect.CodeInvalidArgument, err)
	}
	return u, abs, nil
}

// codeOf is the code of a failed system call. The agent of a real sandbox is
// root and never lacks permission; ours may be the user.
func codeOf(err error) connect.Code {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return connect.CodeNotFound
	case errors.Is(err, fs.ErrPermission):
		return connect.CodePermissionDenied
	}
	return connect.CodeInternal
}
