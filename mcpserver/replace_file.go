package mcpserver

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"
	"time"

	"github.com/agentsandbox/agent-sandbox/sandboxclient"
)

// tidyLimit bounds the removal of what a failed write left.
const tidyLimit = 5 * time.Second

// newFileMode is what a backend gives a file that it makes.
const newFileMode fs.FileMode = 0o644

// replaceFile writes a file so that it has its old content until the new one is
// complete: the protocol truncates a file first and has no way back. Mode and
// link of an old file stay. What the path is now is asked beside the upload.
func replaceFile(ctx context.Context, sandbox *sandboxclient.Sandbox, name string, content io.Reader) error {
	type answer struct {
		entry *sandboxclient.Entry
		err   error
	}
	asked := make(chan answer, 1)
	go func() {
		entry, err := sandbox.Files.Stat(ctx, name, nil)
		asked <- answer{entry, err}
	}()
	unfinished := path.Dir(name) + "/.abx-" + rand.Text()[:10]
	_, err := sandbox.Files.WriteFrom(ctx, unfinished, content, nil)
	old := <-asked
	if err == nil && old.err != nil && !isMissingPath(old.err) {
		err = old.err
	}
	if err == nil {
		err = takeOver(ctx, sandbox, unfinished, name, old.entry)
	}
	if err != nil {
		tidy, cancel := context.WithTimeout(context.WithoutCancel(ctx), tidyLimit)
		defer cancel()
		_ = sandbox.Files.Remove(tidy, unfinished, nil) // the failure that led here says more
	}
	return err
}

// takeOver puts a complete file in the place of old, which is nil when there is
// nothing yet.
func takeOver(ctx context.Context, sandbox *sandboxclient.Sandbox, unfinished, name string, old *sandboxclient.Entry) error {
	if old != nil {
		if err := replaceable(name, old); err != nil {
			return err
		}
		if old.IsSymlink() && old.Type == sandboxclient.EntryFile {
			name = old.SymlinkTarget
		}
		if mode := old.Mode.Perm(); old.Type == sandboxclient.EntryFile && mode != newFileMode {
			keepMode(ctx, sandbox, unfinished, mode)
		}
	}
	_, err := sandbox.Files.Move(ctx, unfinished, name, nil)
	return err
}

func replaceable(name string, old *sandboxclient.Entry) error {
	switch {
	case old.Type == sandboxclient.EntryDirectory:
		return &sandboxclient.Error{Op: "write file", Code: sandboxclient.CodeIsDirectory, Message: name + " is a directory"}
	case old.Type != sandboxclient.EntryFile && !old.IsSymlink():
		return invalidArgument("path %s is neither a file nor a directory: write to it with run_command.", quote(name))
	}
	return nil
}

// keepMode gives the new file the mode of the old one, as far as the user of the
// sandbox may: the protocol has no call for it.
func keepMode(ctx context.Context, sandbox *sandboxclient.Sandbox, file string, mode fs.FileMode) {
	quoted := "'" + strings.ReplaceAll(file, "'", `'\''`) + "'"
	_, _ = sandbox.Commands.Run(ctx, fmt.Sprintf("chmod %o %s", mode, quoted), nil)
}
