package backup

import (
	"context"
	"fmt"
	"net/url"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"

	"foyer/app/pg/embedded"
)

// Programs finds and runs Postgres's client programs.
type Programs struct {
	Environ []string         // of the process; certificates and the like are found by it
	Find    embedded.Options // where to look for them; DataDir is ignored
	Say     func(string)     // called with one line before each long step
}

// client is the one for a server.
func (p Programs) client(ctx context.Context, least int) (embedded.Client, error) {
	return embedded.FindClient(ctx, p.Find, least)
}

// leftOut are settings of a connection URL that must not be seen, or that only our own driver understands.
var leftOut = []string{"password", "pool_max_conns", "pool_min_conns", "pool_min_idle_conns", "pool_max_conn_lifetime",
	"pool_max_conn_lifetime_jitter", "pool_max_conn_idle_time", "pool_health_check_period", "default_query_exec_mode",
	"statement_cache_capacity", "description_cache_capacity"}

// command is a client program on a database. The password goes through the environment: other people of the machine
// can read a command line.
func (p Programs) command(ctx context.Context, c embedded.Client, name, address string, args ...string) (*exec.Cmd, *ending, error) {
	cmd := exec.CommandContext(ctx, filepath.Join(c.Dir, name), args...)
	cmd.Env = append(append([]string{}, p.Environ...), "LC_ALL=C")
	if address != "" {
		u, err := url.Parse(address)
		if err != nil || u.Scheme != "postgres" && u.Scheme != "postgresql" {
			return nil, nil, fmt.Errorf("the address of the database must be a URL: postgres://role:password@host/database")
		}
		q := u.Query()
		password, set := u.User.Password()
		if q.Has("password") {
			password, set = q.Get("password"), true
		}
		if set {
			cmd.Env = append(cmd.Env, "PGPASSWORD="+password)
		}
		for _, name := range leftOut {
			q.Del(name)
		}
		u.RawQuery = strings.ReplaceAll(q.Encode(), "+", "%20") // to libpq a plus is a plus
		if u.User != nil {
			u.User = url.User(u.User.Username())
		}
		cmd.Args = append(cmd.Args, "--no-password", "--dbname="+u.String())
	}
	end := &ending{}
	cmd.Stderr = end
	return cmd, end, nil
}

// failed adds the output of a program to its error.
func failed(name string, err error, said *ending) error {
	return fmt.Errorf("%s: %w: %s", name, err, said)
}

// ending keeps the last part of a program's output.
type ending struct {
	mu   sync.Mutex
	text []byte
}

const endingSize = 2 << 10

// Write keeps p.
func (e *ending) Write(p []byte) (int, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.text = append(e.text, p...)
	if over := len(e.text) - endingSize; over > 0 {
		e.text = append([]byte(nil), e.text[over:]...)
	}
	return len(p), nil
}

// String is one paragraph of it.
func (e *ending) String() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return strings.Join(strings.FieldsFunc(string(e.text), func(r rune) bool { return r == '\n' }), "; ")
}
