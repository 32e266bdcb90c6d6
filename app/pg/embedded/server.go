package embedded

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"sync"
	"time"
)

// superuser is the role that initdb makes.
const superuser = "postgres"

// Options configure the server to start. Only DataDir is required. They are passed to the holder process as JSON.
type Options struct {
	DataDir  string              // the Postgres data directory; made when missing, with its parents
	Fast     bool                // for tests: no fsync, no autovacuum; a crash of the machine loses the data
	Detach   bool                // the server outlives this process and ends itself Linger after its last user
	Linger   time.Duration       // with Detach; default one minute
	CacheDir string              // downloaded binaries; default /var/cache/foyer for root, else the user's cache directory
	Log      io.Writer           `json:"-"` // never written concurrently; may be nil. If detached: <DataDir>.log
	Progress func(string)        `json:"-"` // called with one line before each step that takes seconds; nil is fine
	Getenv   func(string) string `json:"-"` // nil means os.Getenv
}

// Server is a running server. Its methods may run concurrently, except Keep and Stop.
type Server struct {
	address
	config  config
	use     *os.File // our share of <data>.users: shows a holder that a user is left
	owned   *child   // nil when another process owns the server
	adopted bool
}

// address is the address of a listening server.
type address struct {
	sockets string
	port    int
}

// URL is a connection URL for a role and a database, over the server's Unix socket.
func (a address) URL(user, database string) string {
	q := url.Values{"host": {a.sockets}, "port": {strconv.Itoa(a.port)}, "sslmode": {"disable"}}
	u := url.URL{Scheme: "postgres", User: url.User(user), Path: "/" + database, RawQuery: q.Encode()}
	return u.String()
}

// Start returns the server of o.DataDir: the running one if there is one, else a new one. It returns when the server
// answers queries. ctx limits the start only; end the server with Stop.
//
// An error includes the remedy: the command that installs Postgres, the directory that the account cannot enter, or
// the version that a data directory needs.
func Start(ctx context.Context, o Options) (*Server, error) {
	c, err := resolve(o)
	if err != nil {
		return nil, fmt.Errorf("embedded postgres: %w", err)
	}
	s, err := start(ctx, c)
	if err != nil {
		return nil, fmt.Errorf("embedded postgres: %w", err)
	}
	return s, nil
}

func start(ctx context.Context, c config) (*Server, error) {
	lock, err := lockStart(ctx, c)
	if err != nil {
		return nil, err
	}
	defer lock.Close()
	// Taken before the search for the server: from here on a holder does not stop it.
	use, err := lockFile(ctx, c.usersFile(), shared)
	if err != nil {
		return nil, err
	}
	s, err := open(ctx, c, lock)
	if err != nil {
		use.Close()
		return nil, err
	}
	s.use, s.config = use, c
	shares.Store(use, nil)
	return s, nil
}

// open finds the running server, or starts one. The caller holds the start lock.
func open(ctx context.Context, c config, lock *os.File) (*Server, error) {
	s, err := adopt(ctx, c)
	switch {
	case err != nil || s != nil:
		return s, err
	case c.Detach:
		return detach(ctx, c, lock)
	}
	return own(ctx, c)
}

// shares are our shares of users files, from Start to Stop. An unreferenced file is closed by the garbage collector,
// and a caller may keep only the server's address and still use it.
var shares sync.Map

// own makes the data directory when it is new and starts a server as a child of this process. The caller holds the
// start lock.
func own(ctx context.Context, c config) (*Server, error) {
	major, err := dataMajor(c.DataDir)
	if err != nil {
		return nil, err
	}
	bin, err := find(ctx, c, major)
	if err != nil {
		return nil, err
	}
	acc, err := runAs(c)
	if err != nil {
		return nil, err
	}
	if major == 0 {
		err = initdb(ctx, c, bin, acc)
	} else {
		err = acc.take(c.DataDir)
	}
	if err != nil {
		return nil, err
	}
	sockets, err := makeSocketDir(c, acc)
	if err != nil {
		return nil, err
	}
	s, err := launch(ctx, c, bin, acc, address{sockets, socketPort})
	if err != nil {
		os.Remove(sockets)
	}
	return s, err
}

// Adopted reports whether the server was already running when Start was called.
func (s *Server) Adopted() bool { return s.adopted }

// Stop ends the server in good order: open transactions are rolled back, connections are closed. When ctx ends first,
// the server drops everything and recovers at its next start; Stop then returns the error of ctx. A server that this
// process does not own, adopted or detached, goes on running: Stop only ends our use of it. Call it once.
func (s *Server) Stop(ctx context.Context) error {
	defer s.use.Close()
	shares.Delete(s.use)
	if s.owned == nil {
		return nil
	}
	return s.owned.stop(ctx)
}

// config is Options with every default and setting filled in; DataDir is absolute, its symbolic links resolved.
type config struct {
	Options
	Runtime string // XDG_RUNTIME_DIR
	Bin     string // FOYER_PG_BIN
	User    string // FOYER_PG_USER
}

func (c config) lockFile() string  { return c.DataDir + ".lock" }
func (c config) usersFile() string { return c.DataDir + ".users" }
func (c config) logFile() string   { return c.DataDir + ".log" }

// settle fills in the defaults and reads the settings.
func settle(o Options) config {
	if o.Getenv == nil {
		o.Getenv = os.Getenv
	}
	if o.Log == nil {
		o.Log = io.Discard
	}
	if o.Progress == nil {
		o.Progress = func(string) {}
	}
	o.Linger = cmp.Or(o.Linger, time.Minute)
	// The programs run in another directory than this process.
	o.CacheDir = absolute(cmp.Or(o.CacheDir, foyerDir(o.Getenv, "/var/cache", "XDG_CACHE_HOME", ".cache")))
	c := config{o, o.Getenv("XDG_RUNTIME_DIR"), o.Getenv("FOYER_PG_BIN"), o.Getenv("FOYER_PG_USER")}
	if c.Bin != "" && c.Bin != "npm" {
		c.Bin = absolute(c.Bin)
	}
	return c
}

func absolute(dir string) string {
	if abs, err := filepath.Abs(dir); err == nil {
		return abs
	}
	return dir
}

// resolve settles the options, makes missing directories above the data directory, and gives the directory its one
// name.
func resolve(o Options) (config, error) {
	c := settle(o)
	if o.DataDir == "" {
		return config{}, errors.New("no data directory was given")
	}
	dir := absolute(o.DataDir)
	if err := makeParents(filepath.Dir(dir)); err != nil {
		return config{}, err
	}
	// A running server is recognised by the path it was started with, so there must be one name per directory.
	parent, err := filepath.EvalSymlinks(filepath.Dir(dir))
	if err != nil {
		return config{}, err
	}
	c.DataDir = filepath.Join(parent, filepath.Base(dir))
	if target, err := filepath.EvalSymlinks(c.DataDir); err == nil {
		c.DataDir = target
	}
	return c, nil
}

// makeParents makes dir and its missing parents: for this account alone, or, as root, open for passing through
// whatever the umask, because the server runs as another account and must reach its data.
func makeParents(dir string) error {
	if _, err := os.Stat(dir); err == nil {
		return nil
	}
	if err := makeParents(filepath.Dir(dir)); err != nil {
		return err
	}
	mode := os.FileMode(0o700)
	if os.Geteuid() == 0 {
		mode = 0o755
	}
	if err := os.Mkdir(dir, mode); err != nil && !errors.Is(err, os.ErrExist) {
		return err
	}
	return os.Chmod(dir, mode)
}

// DefaultDataDir returns the product's default data directory: /var/lib/foyer for root (other accounts cannot enter
// root's home), else foyer below $XDG_DATA_HOME or ~/.local/share. The server's own data directory belongs in a
// folder below it.
func DefaultDataDir(getenv func(string) string) string {
	return foyerDir(getenv, "/var/lib", "XDG_DATA_HOME", ".local/share")
}

// foyerDir is below a directory of the system for root. Else it follows the XDG base directory rules: they ignore a
// setting that is not an absolute path.
func foyerDir(getenv func(string) string, system, setting, below string) string {
	if os.Geteuid() == 0 {
		return filepath.Join(system, "foyer")
	}
	if dir := getenv(setting); filepath.IsAbs(dir) {
		return filepath.Join(dir, "foyer")
	}
	home := getenv("HOME")
	if home == "" {
		if u, err := user.Current(); err == nil {
			home = u.HomeDir
		}
	}
	return filepath.Join(home, below, "foyer")
}
