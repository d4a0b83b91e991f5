package sandboxclient

import (
	"context"
	"errors"
	"net/url"
	"path"
	"strings"

	"github.com/agentsandbox/agent-sandbox/sandboxclient/api"
)

// Files reads and writes the files of a sandbox. A relative path starts at the
// user's home, "~" is the home. There are no permission checks: envd runs as
// root, and the user only decides ownership and home.
type Files struct{ sandbox *Sandbox }

// fileURL is the address of a file's content for our own requests, which the
// access token authorises.
func (f *Files) fileURL(name, user string) string {
	q := url.Values{"path": {name}}
	if user = f.sandbox.user(user); user != "" {
		q.Set("username", user)
	}
	return f.sandbox.envd.base + api.PathFiles + "?" + q.Encode()
}

// wrongKind makes the code of an error precise: envd says only in words that a
// path is a directory, or not one, so the path itself is asked.
func (f *Files) wrongKind(ctx context.Context, err error, name, user string) error {
	e, ok := errors.AsType[*Error](err)
	if !ok || e.Code != CodeInvalidArgument && e.Code != CodeInternal {
		return err
	}
	entry, statErr := f.Stat(ctx, name, &FileOptions{User: user})
	switch {
	case statErr == nil && entry.Type == EntryDirectory:
		e.Code = CodeIsDirectory
	case statErr == nil && e.Code == CodeInvalidArgument && entry.Type == EntryFile:
		e.Code = CodeNotDirectory
	case CodeOf(statErr) == CodeInternal && f.throughFile(ctx, name, user):
		e.Code = CodeNotDirectory
	}
	return err
}

// throughFile reports whether a parent of name is something else than a
// directory.
func (f *Files) throughFile(ctx context.Context, name, user string) bool {
	for dir := path.Dir(strings.TrimRight(name, "/")); dir != "." && dir != "/"; dir = path.Dir(dir) {
		if entry, err := f.Stat(ctx, dir, &FileOptions{User: user}); err == nil {
			return entry.Type != EntryDirectory
		}
	}
	return false
}
