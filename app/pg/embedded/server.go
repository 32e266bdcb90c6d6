package embedded

import (
	"context"
	"fmt"
	"io"
	"net/url"
	"os"
	"strconv"
	"time"
)

// superuser is the role that initdb makes.
const superuser = "postgres"

// Options say which server to start. Only DataDir is required.
type Options struct {
	DataDir  string              // the Postgres data directory; made when missing, with its parents
	Fast     bool                // for tests: no fsync, no autovacuum; a crash of the machine loses the data
	Detach   bool                // the server outlives this process and ends itself Linger after its last user
	Linger   time.Duration       // with Detach; default one minute
	CacheDir string              // downloaded binaries; default /var/cache/foyer for root, else the user's cache directory
	Log      io.Writer           // the server's log, never written concurrently; nil drops it. A detached server logs to <DataDir>.log
	Progress func(string)        // told one line before each step that takes seconds; nil is fine
	Getenv   func(string) string // nil means os.Getenv
}

// Server is a running server. Its methods are safe for concurrent use.
type Server struct {
	address
	version string
	use     *os.File // our share of <data>.users: tells a holder that somebody is still here
	owned   *child   // nil when another process owns the server
	adopted bool
}

// address is where a server listens.
type address struct {
	sockets string
	port    int
}

func (a address) url(user, database string) string {
	q := url.Values{"host": {a.sockets}, "port": {strconv.Itoa(a.port)}, "sslmode": {"disable"}}
	u := url.URL{Scheme: "postgres", User: url.User(user), Path: "/" + database, RawQuery: q.Encode()}
	return u.String()
}

// Start returns the server of o.DataDir: the running one when there is one, else one that it starts. It returns when the
// server answers queries. ctx bounds the starting only; end the server with Stop.
//
// An error says what to do about it: which command installs Postgres, which directory is closed to which account, which
// version a data directory needs.
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
	// Taken before the server is looked for: from here on a holder does not stop it under our feet.
	use, err := lockFile(ctx, c.usersFile(), shared)
	if err != nil {
		return nil, err
	}
	s, err := adopt(ctx, c)
	switch {
	case err != nil || s != nil:
	case c.Detach:
		s, err = detach(ctx, c, lock)
	default:
		s, err = own(ctx, c)
	}
	if err != nil {
		use.Close()
		return nil, err
	}
	s.use = use
	return s, nil
}

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

// URL is a connection URL for a role and a database, over the server's Unix socket.
func (s *Server) URL(user, database string) string { return s.url(user, database) }

// Adopted tells whether the server was already running when Start was called.
func (s *Server) Adopted() bool { return s.adopted }

// Version is the server's version, for example "15.20".
func (s *Server) Version() string { return s.version }

// Stop ends the server in good order: open transactions are rolled back, connections are closed. When ctx ends first, the
// server is told to drop everything and recovers at its next start; Stop then returns the error of ctx. A server that
// this process does not own, adopted or detached, goes on running: Stop only gives up our use of it. Call it once.
func (s *Server) Stop(ctx context.Context) error {
	defer s.use.Close()
	if s.owned == nil {
		return nil
	}
	return s.owned.stop(ctx)
}
