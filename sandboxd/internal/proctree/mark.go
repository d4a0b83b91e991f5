package proctree

import (
	"math/rand/v2"
	"sync"
)

// Mark names all processes that one command brought into being. The zero Mark
// names none.
type Mark uint64

// owned is the bit that tells the mark of a whole sandbox from the mark of a
// command in it: the first is a hard limit, the second the soft limit below.
const owned = 1 << 62

// newMark draws a mark that no other command carries: processes of several
// sandboxes may stand in one table.
func newMark() Mark { return Mark(1<<61 | rand.Uint64N(1<<61)) }

// NewOwner draws a mark for OwnedBy.
func NewOwner() Mark { return newMark() | owned }

// starting serialises the starts of this process, because a mark is a property
// of the whole process while it forks.
var starting sync.Mutex

// Start runs start, which must start exactly one process, and returns the
// mark that the process and all its offspring carry. Every process that a
// program starts must be started this way (or by StartPlain): one that is
// forked at the same time on another path would inherit the mark.
func Start(start func() error) (Mark, error) {
	starting.Lock()
	defer starting.Unlock()
	mark := newMark()
	restore, err := mark.put()
	if err != nil {
		return 0, err
	}
	err = start()
	restore()
	if err != nil {
		return 0, err
	}
	return mark, nil
}

// StartPlain runs start without a mark, but never at the same time as Start.
func StartPlain(start func() error) error {
	starting.Lock()
	defer starting.Unlock()
	return start()
}
