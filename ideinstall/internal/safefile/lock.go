package safefile

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

const (
	lockWait = 15 * time.Second
	lockPoll = 20 * time.Millisecond
)

// errLocked is what tryLock gives while another process holds the lock.
var errLocked = errors.New("locked")

// Lock holds other installers off path until the returned function is called.
// The lock file lies in dir, not beside path: that directory may be read-only or
// under version control. The system drops the lock when a process dies. It gives
// up after fifteen seconds, far longer than one edit takes.
func Lock(ctx context.Context, dir, path string) (unlock func(), err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("create lock directory: %w", err)
	}
	name := filepath.Join(dir, Key(path)+".lock")
	ctx, cancel := context.WithTimeout(ctx, lockWait)
	defer cancel()
	for {
		unlock, err := tryLock(name)
		if !errors.Is(err, errLocked) {
			return unlock, err
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("lock %s: another abx is changing it: %w", path, ctx.Err())
		case <-time.After(lockPoll):
		}
	}
}

// Key is a short name for a path, for files that belong to it.
func Key(path string) string {
	sum := sha256.Sum256([]byte(path))
	return hex.EncodeToString(sum[:6])
}
