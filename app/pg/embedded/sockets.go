package embedded

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// socketPort is part of the socket's name and nothing else: the server listens on no TCP port.
const socketPort = 5432

// longestSocketDir leaves room for "/.s.PGSQL.5432" in the 103 bytes that every Unix allows for a socket's path.
const longestSocketDir = 103 - 14

// makeSocketDir makes the directory of the server's socket, which only the account can enter. It does not stand in the
// data directory, whose path may be longer than a socket's may be. The name follows from the data directory, so that a
// person can find it again.
//
// The directory is the whole protection of a server that trusts local connections, and /tmp is open to everybody: one
// that somebody else has made is refused. The caller holds the start lock and knows that no server runs.
func makeSocketDir(c config, acc account) (string, error) {
	sum := sha256.Sum256([]byte(c.DataDir))
	name := "foyer-" + hex.EncodeToString(sum[:6])
	dir := filepath.Join("/tmp", name)
	if own := filepath.Join(c.Runtime, name); !acc.drop && isOwn(c.Runtime, acc) && len(own) <= longestSocketDir {
		dir = own
	}
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, os.ErrExist) {
		return "", err
	}
	info, err := os.Lstat(dir)
	if err != nil {
		return "", err
	}
	if st, ok := stat(dir); !ok || !info.IsDir() || int(st.Uid) != acc.uid && int(st.Uid) != os.Geteuid() {
		return "", fmt.Errorf("%s, the directory for the server's socket, was made by somebody else: remove it", dir)
	}
	if err := os.Chmod(dir, 0o700); err != nil {
		return "", err
	}
	// A killed server leaves its socket. The lock file beside it would stop the next one when the process number in it
	// has been given to another program.
	os.Remove(filepath.Join(dir, ".s.PGSQL.5432"))
	os.Remove(filepath.Join(dir, ".s.PGSQL.5432.lock"))
	if acc.drop {
		return dir, os.Lchown(dir, acc.uid, acc.gid)
	}
	return dir, nil
}

// removeSocketDir tidies up under the start lock, because a process that starts the next server uses the same directory;
// when the lock is taken, that process wants the directory to stay.
func removeSocketDir(c config, dir string) {
	lock, err := tryLock(c.lockFile(), exclusive)
	if err != nil {
		return
	}
	defer lock.Close()
	os.Remove(dir)
}

func isOwn(dir string, acc account) bool {
	st, ok := stat(dir)
	return filepath.IsAbs(dir) && ok && int(st.Uid) == acc.uid
}
