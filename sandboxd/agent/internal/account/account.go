// Package account knows the users of a sandbox: which names may be asked for,
// where their homes are, and how a path that a client sends is resolved for
// one of them.
package account

import (
	"fmt"
	"os/user"
	"strconv"
)

// User is one account of the sandbox.
type User struct {
	Name string `json:"name"`
	UID  int    `json:"uid"`
	GID  int    `json:"gid"`
	// Home is the absolute path that "~" and relative paths start from.
	Home string `json:"home"`
}

// Table is the set of users that a client may name. Known names come first;
// with System set the user database of the machine is asked for the others.
type Table struct {
	Known  []User
	System bool
}

// UnknownError says that a name is no user of the sandbox.
type UnknownError struct{ Name string }

// Error implements error.
func (e *UnknownError) Error() string { return "user: unknown user " + e.Name }

// Lookup finds a user by name; the error is an *UnknownError when there is none.
func (t *Table) Lookup(name string) (*User, error) {
	for i := range t.Known {
		if t.Known[i].Name == name {
			return &t.Known[i], nil
		}
	}
	if !t.System {
		return nil, &UnknownError{Name: name}
	}
	return fromSystem(name)
}

func fromSystem(name string) (*User, error) {
	found, err := user.Lookup(name)
	if err != nil {
		return nil, &UnknownError{Name: name}
	}
	uid, err := strconv.Atoi(found.Uid)
	if err != nil {
		return nil, fmt.Errorf("read uid of user %s: %w", name, err)
	}
	gid, err := strconv.Atoi(found.Gid)
	if err != nil {
		return nil, fmt.Errorf("read gid of user %s: %w", name, err)
	}
	return &User{Name: name, UID: uid, GID: gid, Home: found.HomeDir}, nil
}
