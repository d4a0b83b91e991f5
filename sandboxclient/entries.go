package sandboxclient

import (
	"context"
	"io/fs"
	"time"

	"github.com/agentsandbox/agent-sandbox/sandboxclient/envd/filesystem"
	"github.com/agentsandbox/agent-sandbox/sandboxclient/envd/filesystem/filesystemconnect"
)

// EntryType is the kind of a directory entry.
type EntryType string

// The entry types. A symbolic link whose target exists has its target's type;
// see Entry.SymlinkTarget.
const (
	EntryFile      EntryType = "file"
	EntryDirectory EntryType = "directory"
	EntrySymlink   EntryType = "symlink"
	// EntryOther is a device, fifo or socket, or a link to nothing.
	EntryOther EntryType = "other"
)

// Entry describes a file or directory.
type Entry struct {
	Name string
	// Path is as it was asked for: not cleaned, links not resolved.
	Path string
	Type EntryType
	// Size in bytes; of a symbolic link, the link's own.
	Size int64
	// Mode holds the permission bits alone.
	Mode fs.FileMode
	// Permissions is Mode as ls -l writes it; it begins with L for a link.
	Permissions  string
	Owner, Group string
	ModTime      time.Time
	// SymlinkTarget is the resolved path of a symbolic link, its own path
	// when it leads nowhere, and "" for anything else.
	SymlinkTarget string
	// Metadata are the user's own attributes (envd 0.6.2 and newer).
	Metadata map[string]string
}

// IsSymlink reports whether the entry is a symbolic link, whatever its Type.
func (e *Entry) IsSymlink() bool { return e.Type == EntrySymlink || e.SymlinkTarget != "" }

var entryTypes = map[filesystem.FileType]EntryType{
	filesystem.FileType_FILE_TYPE_FILE:      EntryFile,
	filesystem.FileType_FILE_TYPE_DIRECTORY: EntryDirectory,
	filesystem.FileType_FILE_TYPE_SYMLINK:   EntrySymlink,
}

func newEntry(wire *filesystem.EntryInfo) *Entry {
	e := &Entry{
		Name: wire.GetName(), Path: wire.GetPath(), Type: entryTypes[wire.GetType()], Size: wire.GetSize(),
		Mode: fs.FileMode(wire.GetMode()).Perm(), Permissions: wire.GetPermissions(),
		Owner: wire.GetOwner(), Group: wire.GetGroup(),
		SymlinkTarget: wire.GetSymlinkTarget(), Metadata: wire.GetMetadata(),
	}
	if e.Type == "" {
		e.Type = EntryOther
	}
	if t := wire.GetModifiedTime(); t != nil {
		e.ModTime = t.AsTime()
	}
	return e
}

// FileOptions apply to every call on a path; nil means the defaults.
type FileOptions struct {
	// User decides the home and who owns what is made; "" is the default.
	User string
}

func (o *FileOptions) user() string {
	if o == nil {
		return ""
	}
	return o.User
}

// Stat describes a path; the last link of it is not followed, except for Type
// and Mode. A missing one is CodeNotFound.
func (f *Files) Stat(ctx context.Context, path string, opts *FileOptions) (*Entry, error) {
	call := &rpcCall{op: "stat file", user: opts.user(), resource: ResourcePath, idempotent: true}
	res, err := filesystemRPC(ctx, f.sandbox, call, filesystemconnect.FilesystemClient.Stat, &filesystem.StatRequest{Path: path})
	if err != nil {
		return nil, err
	}
	return newEntry(res.GetEntry()), nil
}

// Exists reports whether there is something at path.
func (f *Files) Exists(ctx context.Context, path string, opts *FileOptions) (bool, error) {
	_, err := f.Stat(ctx, path, opts)
	if IsNotFound(err) {
		return false, nil
	}
	return err == nil, err
}

// ListFilesOptions configure List; nil means the defaults.
type ListFilesOptions struct {
	User string
	// Depth is how many levels to list; 0 is 1, the directory itself.
	Depth int
}

// List lists a directory, parents before their children, hidden files too. A
// link given as path is followed, links inside are not. A missing path is
// CodeNotFound, a file CodeNotDirectory.
func (f *Files) List(ctx context.Context, path string, opts *ListFilesOptions) ([]*Entry, error) {
	if opts == nil {
		opts = &ListFilesOptions{}
	}
	call := &rpcCall{op: "list files", user: opts.User, resource: ResourcePath, idempotent: true}
	res, err := filesystemRPC(ctx, f.sandbox, call, filesystemconnect.FilesystemClient.ListDir, &filesystem.ListDirRequest{Path: path, Depth: uint32(max(opts.Depth, 0))})
	if err != nil {
		return nil, f.wrongKind(ctx, err, path, opts.User)
	}
	entries := make([]*Entry, len(res.GetEntries()))
	for i, e := range res.GetEntries() {
		entries[i] = newEntry(e)
	}
	return entries, nil
}

// MakeDir makes a directory and its parents. One that exists is
// CodeAlreadyExists, a file in its place CodeNotDirectory.
func (f *Files) MakeDir(ctx context.Context, path string, opts *FileOptions) error {
	call := &rpcCall{op: "make directory", user: opts.user(), resource: ResourcePath}
	_, err := filesystemRPC(ctx, f.sandbox, call, filesystemconnect.FilesystemClient.MakeDir, &filesystem.MakeDirRequest{Path: path})
	return f.wrongKind(ctx, err, path, opts.user())
}

// Move renames a file or directory, makes the parents of to, and replaces a
// file that is there. A missing source is CodeNotFound.
func (f *Files) Move(ctx context.Context, from, to string, opts *FileOptions) (*Entry, error) {
	call := &rpcCall{op: "move file", user: opts.user(), resource: ResourcePath}
	res, err := filesystemRPC(ctx, f.sandbox, call, filesystemconnect.FilesystemClient.Move, &filesystem.MoveRequest{Source: from, Destination: to})
	if err != nil {
		return nil, err
	}
	return newEntry(res.GetEntry()), nil
}

// Remove removes a file, or a directory with all that is in it. A missing path
// is no error.
func (f *Files) Remove(ctx context.Context, path string, opts *FileOptions) error {
	call := &rpcCall{op: "remove file", user: opts.user(), resource: ResourcePath, idempotent: true}
	_, err := filesystemRPC(ctx, f.sandbox, call, filesystemconnect.FilesystemClient.Remove, &filesystem.RemoveRequest{Path: path})
	return err
}
