package mcpserver

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/agentsandbox/agent-sandbox/sandboxclient"
)

// metadataLazy marks sandboxes that were made for a call that named none. Of
// several, made at once by servers that share a session, the oldest counts.
const metadataLazy = "abx.lazy"

// siblings lists the live sandboxes of a shared session, whichever server made
// them, oldest first. Those that ended here are left out, should the backend
// still list them.
func (m *SandboxManager) siblings(ctx context.Context) ([]*sandboxclient.SandboxInfo, error) {
	ctx, cancel := context.WithTimeout(ctx, controlDeadline)
	defer cancel()
	labels := map[string]string{MetadataSession: m.metadata[MetadataSession]}
	if owner := m.metadata[MetadataOwner]; owner != "" {
		labels[MetadataOwner] = owner
	}
	all, err := m.backend.list(ctx, labels)
	if err != nil {
		return nil, fmt.Errorf("list sandboxes of the session: %w", because(ctx, err))
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	all = slices.DeleteFunc(all, func(info *sandboxclient.SandboxInfo) bool {
		box := m.boxes[info.SandboxID]
		return box != nil && box.ended.Load()
	})
	slices.SortFunc(all, func(a, b *sandboxclient.SandboxInfo) int {
		return cmp.Or(a.StartedAt.Compare(b.StartedAt), cmp.Compare(a.SandboxID, b.SandboxID))
	})
	return all, nil
}

// defaultOf picks the default of a shared session: the newest that was asked
// for, else the oldest that was made for a call. nil when there is none.
func defaultOf(siblings []*sandboxclient.SandboxInfo) (chosen *sandboxclient.SandboxInfo) {
	for _, info := range siblings {
		if chosen == nil || info.Metadata[metadataLazy] == "" {
			chosen = info
		}
	}
	return chosen
}

// useShared gives the default sandbox of a shared session, as the backend's
// listing has it at this moment.
func (m *SandboxManager) useShared(ctx context.Context) (*Box, error) {
	if def := m.lastDefault(); def != nil && !def.finished() {
		return def.wait(ctx) // just being made here
	}
	all, err := m.siblings(ctx)
	if err != nil {
		return nil, err
	}
	if chosen := defaultOf(all); chosen != nil {
		return m.useSibling(ctx, chosen.SandboxID)
	}
	if def := m.lastDefault(); def != nil && def.finished() && def.err == nil {
		return nil, m.lost(def.box)
	}
	def, err := m.startDefault()
	if err != nil {
		return nil, err
	}
	return def.wait(ctx)
}

// lastDefault is the default that this server used or makes.
func (m *SandboxManager) lastDefault() *creation {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.def
}

// useSibling takes a sandbox of the session for its default.
func (m *SandboxManager) useSibling(ctx context.Context, id string) (*Box, error) {
	m.mu.Lock()
	box := m.boxes[id]
	m.mu.Unlock()
	if box == nil {
		var err error
		if box, err = m.attach(ctx, id); err != nil {
			return nil, err
		}
	}
	made := &creation{done: make(chan struct{}), box: box}
	close(made.done)
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return nil, errSessionClosed
	}
	m.def = made
	return box, nil
}

// settle decides between a sandbox just made for a call and those that other
// servers made for theirs at the same time. A loser is destroyed by its maker.
func (m *SandboxManager) settle(ctx context.Context, made *Box) (*Box, error) {
	all, err := m.siblings(ctx)
	if err != nil {
		m.log.Warn("whether another server made a default sandbox is not known", "sandbox", made.ID(), "error", err)
		return made, nil
	}
	chosen := defaultOf(all)
	if chosen == nil || chosen.SandboxID == made.ID() {
		return made, nil
	}
	m.discard(made)
	return m.attach(ctx, chosen.SandboxID)
}

// roomShared refuses another sandbox when the session has its fill, on all
// servers together.
func (m *SandboxManager) roomShared(ctx context.Context) error {
	all, err := m.siblings(ctx)
	if err == nil && len(all) >= m.most {
		err = errNoRoom(len(all))
	}
	return err
}

// killSharedDefault destroys what is the default now.
func (m *SandboxManager) killSharedDefault(ctx context.Context) (Killed, error) {
	all, err := m.siblings(ctx)
	if err != nil {
		return Killed{}, err
	}
	chosen := defaultOf(all)
	if chosen == nil {
		return Killed{}, errNoDefault()
	}
	return m.Kill(ctx, m.handles.Seal(chosen.SandboxID))
}

// Destroy ends a shared session: Close, and the end of every sandbox that any
// server made for it.
func (m *SandboxManager) Destroy(ctx context.Context) error {
	err := m.Close(ctx)
	all, listErr := m.siblings(ctx)
	if listErr != nil {
		return errors.Join(err, listErr)
	}
	var wg sync.WaitGroup
	failures := make([]error, len(all))
	for i, info := range all {
		wg.Go(func() {
			if err := m.kill(ctx, info.SandboxID); err != nil && !isGone(err) {
				failures[i] = fmt.Errorf("destroy sandbox %s: %w", info.SandboxID, err)
			}
		})
	}
	wg.Wait()
	return errors.Join(append(failures, err)...)
}
