// Package settings holds what the control plane may still change while the
// agent runs: the access token, the default user and directory, and the
// environment that every process gets.
package settings

import (
	"maps"
	"sync"
	"sync/atomic"
)

// Values is one consistent state. It is never changed after it was published.
type Values struct {
	// Token is what X-Access-Token must carry; "" means an open sandbox.
	Token string
	// User is the name used by requests that name none.
	User string
	// Workdir is the directory of processes that name none; "" means the home.
	Workdir string
	// Envs are variables of every process, weaker than those of a request.
	Envs map[string]string
}

// Store publishes the current Values. Use New.
type Store struct {
	current atomic.Pointer[Values]
	writing sync.Mutex
}

// New makes a store that starts with v.
func New(v Values) *Store {
	s := &Store{}
	v.Envs = maps.Clone(v.Envs)
	s.current.Store(&v)
	return s
}

// Get returns the current values, which the caller must not change.
func (s *Store) Get() *Values { return s.current.Load() }

// Update applies change to a copy of the values and publishes it, unless
// change refuses with an error. Changes are made one after the other.
func (s *Store) Update(change func(*Values) error) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	next := *s.current.Load()
	next.Envs = maps.Clone(next.Envs)
	if err := change(&next); err != nil {
		return err
	}
	s.current.Store(&next)
	return nil
}
