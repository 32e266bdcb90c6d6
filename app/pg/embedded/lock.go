package embedded

import (
	"context"
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"
)

// The ways to hold a lock file. The kernel releases it when the holding process ends, however it ends.
const (
	shared    = syscall.LOCK_SH
	exclusive = syscall.LOCK_EX
)

// errLocked means that another process holds the lock.
var errLocked = errors.New("locked by another process")

// lockFile waits until it holds the lock file in the given way. Closing the file releases the lock. The file itself
// is never deleted: a process that waits on a deleted file and one that makes it anew would both get it.
func lockFile(ctx context.Context, path string, how int) (*os.File, error) {
	for {
		f, err := tryLock(path, how)
		if !errors.Is(err, errLocked) {
			return f, err
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("waiting for %s: %w", path, context.Cause(ctx))
		case <-time.After(10 * time.Millisecond):
		}
	}
}

func tryLock(path string, how int) (*os.File, error) {
	// No following of links: others may write in the directory of the path.
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|syscall.O_NOFOLLOW, 0o600)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), how|syscall.LOCK_NB); err != nil {
		f.Close()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, errLocked
		}
		return nil, fmt.Errorf("locking %s: %w", path, err)
	}
	return f, nil
}

// lockStart takes the lock that protects finding, starting and ending a server of the data directory.
func lockStart(ctx context.Context, c config) (*os.File, error) {
	f, err := tryLock(c.lockFile(), exclusive)
	if !errors.Is(err, errLocked) {
		return f, err
	}
	c.Progress("Waiting for another process that is starting Postgres in " + c.DataDir)
	return lockFile(ctx, c.lockFile(), exclusive)
}
