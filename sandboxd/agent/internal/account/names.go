package account

import (
	"os/user"
	"strconv"
)

// Names translates ids of files into names, each id once. A table of our own
// comes first, as in Lookup; an id without a name stays a number.
type Names struct {
	table  *Table
	users  map[int]string
	groups map[int]string
}

// Names makes a translator; it is not for concurrent use.
func (t *Table) Names() *Names {
	return &Names{table: t, users: map[int]string{}, groups: map[int]string{}}
}

// User is the name of a user id.
func (n *Names) User(uid int) string {
	if name, ok := n.users[uid]; ok {
		return name
	}
	name := n.user(uid)
	n.users[uid] = name
	return name
}

func (n *Names) user(uid int) string {
	for _, known := range n.table.Known {
		if known.UID == uid {
			return known.Name
		}
	}
	id := strconv.Itoa(uid)
	if found, err := user.LookupId(id); err == nil {
		return found.Username
	}
	return id
}

// Group is the name of a group id. The group of a known user has that user's
// name, as is the custom for private groups.
func (n *Names) Group(gid int) string {
	if name, ok := n.groups[gid]; ok {
		return name
	}
	name := n.group(gid)
	n.groups[gid] = name
	return name
}

func (n *Names) group(gid int) string {
	for _, known := range n.table.Known {
		if known.GID == gid {
			return known.Name
		}
	}
	id := strconv.Itoa(gid)
	if found, err := user.LookupGroupId(id); err == nil {
		return found.Name
	}
	return id
}
