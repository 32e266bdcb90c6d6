package embedded

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// What is left of a server killed by SIGKILL holds its shared memory until it notices; so long a new one refuses to start.
const (
	leftoverPatience = 10 * time.Second
	leftoverPause    = 100 * time.Millisecond
)

// launch starts the server and returns when it answers.
func launch(ctx context.Context, c config, bin binaries, acc account, at address) (*Server, error) {
	patience, cancel := context.WithTimeout(ctx, leftoverPatience)
	defer cancel()
	for {
		p, err := run(acc, c.log, filepath.Join(bin.dir, "postgres"), serverArgs(c, at)...)
		if err != nil {
			return nil, acc.explain(err, bin.dir)
		}
		version, err := p.ready(ctx, c, at)
		if err == nil {
			p.cleanup = func() { removeSocketDir(c, at.sockets) }
			return &Server{address: at, version: version, owned: p}, nil
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

// ready waits until the server answers and returns its version. There is no time limit but ctx: recovery after a crash
// takes as long as it takes.
func (p *child) ready(ctx context.Context, c config, at address) (string, error) {
	for waited := time.Duration(0); ; waited += probePause {
		version, answer, err := probe(ctx, at)
		switch answer {
		case answers:
			return version, nil
		case refuses:
			p.stop(ctx)
			return "", err
		}
		if waited == slowStart {
			c.progress("PostgreSQL is starting, perhaps recovering from a crash")
		}
		select {
		case <-p.ended:
			return "", fmt.Errorf("postgres ended while starting: %w\n%s", p.err, p.tail)
		case <-ctx.Done():
			return "", p.wait(ctx)
		case <-time.After(probePause):
		}
	}
}

const (
	probePause = 5 * time.Millisecond
	slowStart  = 600 * probePause
)

// answer is what a server does with an attempt to connect.
type answer int

const (
	answers answer = iota // lets us in
	notYet                // is starting, shutting down or full
	silent                // there is no socket, or nobody listens
	refuses               // and will the next time
)

// probe connects once.
func probe(ctx context.Context, at address) (version string, a answer, err error) {
	conn, err := pgconn.Connect(ctx, at.url(superuser, "postgres"))
	if err == nil {
		version, _, _ = strings.Cut(conn.ParameterStatus("server_version"), " ")
		return version, answers, conn.Close(ctx)
	}
	var pg *pgconn.PgError
	switch {
	case !errors.As(err, &pg):
		return "", silent, err
	case pg.Code == "57P03" || pg.Code == "53300":
		return "", notYet, err
	}
	return "", refuses, err
}
