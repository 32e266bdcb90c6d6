package embedded

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// unreachablePatience is the time that a server may live without a socket: one that is starting has none yet, and one
// with a deleted socket directory never has it again.
const unreachablePatience = 10 * time.Second

// adopt returns the running server of the data directory when it answers; nil when there is none. It waits for a
// server that is starting or shutting down. The caller holds the start lock.
func adopt(ctx context.Context, c config) (*Server, error) {
	file := filepath.Join(c.DataDir, "postmaster.pid")
	for waited, unreachable := time.Duration(0), time.Duration(0); ; waited += probePause {
		pid, at, err := readPID(file)
		if err != nil || pid == 0 {
			return nil, err
		}
		if !serves(pid, c.DataDir) {
			return nil, removeStale(file, pid)
		}
		answer, err := probe(ctx, at)
		switch answer {
		case answers:
			return &Server{address: at, adopted: true}, nil
		case notYet:
			unreachable = 0
		case silent:
			unreachable += probePause
		}
		if answer == refuses || unreachable > unreachablePatience {
			return nil, fmt.Errorf("a server runs in %s (process %d) but refuses connections: %w", c.DataDir, pid, err)
		}
		if waited == slowStart {
			c.Progress(fmt.Sprintf("Waiting for the PostgreSQL server that runs in %s (process %d)", c.DataDir, pid))
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("waiting for the server in %s (process %d): %w", c.DataDir, pid, context.Cause(ctx))
		case <-time.After(probePause):
		}
	}
}

// readPID reads the server's own pid file: a line each for process, data directory, start, port, socket directory and
// more; the later lines are written later. pid 0 means that there is no such file, or an invalid one, and Postgres
// itself complains about that.
func readPID(file string) (pid int, at address, err error) {
	text, err := os.ReadFile(file)
	switch {
	case errors.Is(err, os.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return 0, address{}, nil
	case errors.Is(err, os.ErrPermission):
		return 0, address{}, fmt.Errorf("the data directory belongs to another account: %w", err)
	case err != nil:
		return 0, address{}, err
	}
	lines := append(strings.Split(string(text), "\n"), make([]string, 6)...)
	pid, _ = strconv.Atoi(strings.TrimSpace(lines[0]))
	at.port, _ = strconv.Atoi(lines[3])
	at.sockets = lines[4]
	return pid, at, nil
}

// removeStale deletes the file of a dead server when its process number is taken: by another program, or by the
// zombie of the server itself. Postgres would refuse to start. With a free number Postgres itself decides.
func removeStale(file string, pid int) error {
	if err := syscall.Kill(pid, 0); errors.Is(err, syscall.ESRCH) {
		return nil
	}
	return os.Remove(file)
}

// The processes of a server killed by SIGKILL hold its shared memory until they notice; until then a new one refuses
// to start.
const (
	leftoverPatience = 10 * time.Second
	leftoverPause    = 100 * time.Millisecond
)

// launch starts the server and returns when it answers.
func launch(ctx context.Context, c config, bin binaries, acc account, at address) (*Server, error) {
	patience, cancel := context.WithTimeout(ctx, leftoverPatience)
	defer cancel()
	for {
		p, err := run(acc, c.Log, filepath.Join(bin.dir, "postgres"), serverArgs(c, at)...)
		if err != nil {
			return nil, acc.explain(err, bin.dir)
		}
		err = p.ready(ctx, c, at)
		if err == nil {
			p.cleanup = func() { removeSocketDir(c, at.sockets) }
			return &Server{address: at, owned: p}, nil
		}
		if !strings.Contains(p.tail.String(), "still in use") || patience.Err() != nil {
			return nil, acc.explain(err, c.DataDir)
		}
		time.Sleep(leftoverPause)
	}
}

func serverArgs(c config, at address) []string {
	args := []string{"-D", c.DataDir, "-k", at.sockets, "-h", "", "-p", strconv.Itoa(at.port)}
	settings := []string{
		"unix_socket_permissions=0700", "max_connections=200", "timezone=UTC", "log_timezone=UTC", "lc_messages=C",
		"logging_collector=off", "log_destination=stderr",
	}
	if c.Fast {
		settings = append(settings,
			"fsync=off", "synchronous_commit=off", "full_page_writes=off", "autovacuum=off", "log_checkpoints=off")
	}
	for _, s := range settings {
		args = append(args, "-c", s)
	}
	return args
}

// ready waits until the server answers. The only time limit is ctx: recovery after a crash takes as long as it takes.
func (p *child) ready(ctx context.Context, c config, at address) error {
	for waited := time.Duration(0); ; waited += probePause {
		answer, err := probe(ctx, at)
		switch answer {
		case answers:
			return nil
		case refuses:
			p.stop(ctx)
			return err
		}
		if waited == slowStart {
			c.Progress("PostgreSQL is starting, perhaps recovering from a crash")
		}
		select {
		case <-p.ended:
			return fmt.Errorf("postgres ended while starting: %w\n%s", p.err, p.tail)
		case <-ctx.Done():
			return p.wait(ctx)
		case <-time.After(probePause):
		}
	}
}

const (
	probePause = 5 * time.Millisecond
	slowStart  = 600 * probePause
)

// answer is the response of a server to a connection attempt.
type answer int

const (
	answers answer = iota // accepts the connection
	notYet                // is starting, shutting down or full
	silent                // there is no socket, or no listener
	refuses               // and will the next time
)

// passing are the refusals of a server that is starting, shutting down (also one that began to answer before that) or
// full.
var passing = []string{"57P03", "57P01", "53300"}

// probe connects once.
func probe(ctx context.Context, at address) (answer, error) {
	conn, err := pgconn.Connect(ctx, at.URL(superuser, "postgres"))
	if err == nil {
		return answers, conn.Close(ctx)
	}
	var pg *pgconn.PgError
	switch {
	case !errors.As(err, &pg):
		return silent, err
	case slices.Contains(passing, pg.Code):
		return notYet, err
	}
	return refuses, err
}

// initdb makes the data directory: beside its place and then renamed, so that an interrupted run leaves nothing that
// seems to be data. Text sorts by code point, the same on every system and version, so a library update cannot spoil
// an index; upper and lower case cover all of Unicode.
func initdb(ctx context.Context, c config, bin binaries, acc account) error {
	c.Progress("Making a PostgreSQL data directory in " + c.DataDir)
	unfinished := c.DataDir + ".new"
	if err := os.RemoveAll(unfinished); err != nil {
		return err
	}
	if err := os.Mkdir(unfinished, 0o700); err != nil {
		return err
	}
	defer os.RemoveAll(unfinished)
	if acc.drop {
		if err := os.Lchown(unfinished, acc.uid, acc.gid); err != nil {
			return err
		}
	}
	args := []string{
		"-D", unfinished, "-U", superuser, "--auth-local=trust", "--auth-host=reject",
		"--encoding=UTF8", "--locale=C", "--lc-ctype=" + unicodeLocale,
	}
	if c.Fast {
		args = append(args, "--no-sync")
	} else {
		args = append(args, "--data-checksums") // the default from version 18 on
	}
	if err := runInitdb(ctx, bin, acc, args); err != nil {
		return acc.explain(err, unfinished, bin.dir)
	}
	err := os.Rename(unfinished, c.DataDir)
	if errors.Is(err, syscall.EBUSY) {
		return fmt.Errorf("%s is a mount point: choose a directory below it", c.DataDir)
	}
	return err
}

func runInitdb(ctx context.Context, bin binaries, acc account, args []string) error {
	p, err := run(acc, io.Discard, filepath.Join(bin.dir, "initdb"), args...)
	if err != nil {
		return err
	}
	if err := p.wait(ctx); err != nil {
		if strings.Contains(p.tail.String(), "effective user ID") {
			return fmt.Errorf("initdb needs the account %s to have an entry in /etc/passwd: %w", acc.name, err)
		}
		return fmt.Errorf("initdb: %w\n%s", err, p.tail)
	}
	return nil
}

// socketPort is part of the socket's name and nothing else: the server listens on no TCP port.
const socketPort = 5432

// longestSocketDir leaves room for "/.s.PGSQL.5432" in the 103 bytes that every Unix allows for a socket's path.
const longestSocketDir = 103 - 14

// makeSocketDir makes the directory of the server's socket, accessible only to the account. It is outside the data
// directory, because the path of a socket has a length limit. Its name follows from the data directory, so that a
// person can find it again.
//
// The directory is the whole protection of a server that trusts local connections, and /tmp is open to everyone: a
// directory made by another account is refused. The caller holds the start lock and has checked that no server runs.
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
		return "", fmt.Errorf("%s, the directory for the server's socket, belongs to another account: remove it", dir)
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

// removeSocketDir tidies up under the start lock, because a process that starts the next server uses the same
// directory; when the lock is taken, that process wants the directory to stay.
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
