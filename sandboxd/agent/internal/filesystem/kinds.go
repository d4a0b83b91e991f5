package filesystem

import (
	"os"

	"github.com/fsnotify/fsnotify"

	"github.com/agentsandbox/agent-sandbox/sandboxclient/envd/filesystem"
)

// eventTypes in the order in which one notification is split up.
var eventTypes = []struct {
	op   fsnotify.Op
	kind filesystem.EventType
}{
	{fsnotify.Create, filesystem.EventType_EVENT_TYPE_CREATE},
	{fsnotify.Rename, filesystem.EventType_EVENT_TYPE_RENAME},
	{fsnotify.Chmod, filesystem.EventType_EVENT_TYPE_CHMOD},
	{fsnotify.Write, filesystem.EventType_EVENT_TYPE_WRITE},
	{fsnotify.Remove, filesystem.EventType_EVENT_TYPE_REMOVE},
}

func kinds(op fsnotify.Op) []filesystem.EventType {
	var list []filesystem.EventType
	for _, t := range eventTypes {
		if op.Has(t.op) {
			list = append(list, t.kind)
		}
	}
	return list
}

// isDir does not follow a link: a tree ends at its links.
func isDir(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.IsDir()
}
