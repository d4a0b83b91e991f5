package filesystem

import (
	"io/fs"
	"os"
	"path/filepath"

	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/agentsandbox/agent-sandbox/sandboxclient/envd/filesystem"
	"github.com/agentsandbox/agent-sandbox/sandboxd/agent/internal/account"
	"github.com/agentsandbox/agent-sandbox/sandboxd/agent/internal/metadata"
)

// describer makes entries; one serves one call.
type describer struct{ names *account.Names }

func (s *Service) describer() *describer { return &describer{names: s.opts.Users.Names()} }

// entry describes what is at path. Of a symbolic link, type and mode are the
// target's and the rest is the link's own (envd contract: Stat).
func (d *describer) entry(path string) (*filesystem.EntryInfo, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	return d.of(path, info), nil
}

func (d *describer) of(path string, info fs.FileInfo) *filesystem.EntryInfo {
	entry := &filesystem.EntryInfo{
		Name:         filepath.Base(path),
		Type:         typeOf(info.Mode()),
		Path:         path,
		Size:         info.Size(),
		Mode:         uint32(info.Mode().Perm()),
		Permissions:  info.Mode().String(),
		ModifiedTime: timestamppb.New(info.ModTime()),
	}
	if uid, gid, ok := owner(info); ok {
		entry.Owner, entry.Group = d.names.User(uid), d.names.Group(gid)
	}
	if info.Mode()&fs.ModeSymlink != 0 {
		follow(entry)
		return entry
	}
	if info.Mode().IsRegular() || info.IsDir() {
		entry.Metadata = metadata.Read(path)
	}
	return entry
}

// follow fills in the target of a link. A dangling one names itself and has
// neither type nor mode.
func follow(entry *filesystem.EntryInfo) {
	target := entry.GetPath()
	entry.SymlinkTarget, entry.Type, entry.Mode = &target, filesystem.FileType_FILE_TYPE_UNSPECIFIED, 0
	resolved, err := filepath.EvalSymlinks(target)
	if err != nil {
		return
	}
	info, err := os.Stat(resolved)
	if err != nil {
		return
	}
	entry.SymlinkTarget, entry.Type, entry.Mode = &resolved, typeOf(info.Mode()), uint32(info.Mode().Perm())
}

// typeOf knows files and directories; pipes, sockets and devices have no type.
func typeOf(mode fs.FileMode) filesystem.FileType {
	switch {
	case mode.IsRegular():
		return filesystem.FileType_FILE_TYPE_FILE
	case mode.IsDir():
		return filesystem.FileType_FILE_TYPE_DIRECTORY
	}
	return filesystem.FileType_FILE_TYPE_UNSPECIFIED
}
