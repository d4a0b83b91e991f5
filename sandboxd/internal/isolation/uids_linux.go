package isolation

import (
	"errors"
	"math/rand/v2"
	"sync"
)

// Host user ids for the sandboxes of a root server come from a range that no
// distribution hands out. Each server takes a block of it at random, each
// living sandbox an id of its own in the block: two sandboxes could not touch
// each other's processes or files even if something else failed. Host id 0 is
// never mapped: with it, a sandbox could write the host's sysctls and would
// have no limit of processes.
const (
	uidRange   = 0x70000000
	uidBlocks  = 1 << 16
	uidsABlock = 1 << 12
)

// uids hands out the ids of one block.
type uids struct {
	base int

	mu   sync.Mutex
	used map[int]bool
	next int
}

func newUIDs() *uids {
	return &uids{base: uidRange + rand.IntN(uidBlocks)*uidsABlock, used: map[int]bool{}}
}

func (u *uids) take() (int, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if len(u.used) == uidsABlock {
		return 0, errors.New("no user id is free for another sandbox")
	}
	for u.used[u.next] {
		u.next = (u.next + 1) % uidsABlock
	}
	slot := u.next
	u.used[slot] = true
	u.next = (u.next + 1) % uidsABlock
	return u.base + slot, nil
}

func (u *uids) release(uid int) {
	u.mu.Lock()
	defer u.mu.Unlock()
	delete(u.used, uid-u.base)
}
