package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"time"

	"foyer/app/bench"
	"foyer/app/pg"
	"foyer/migrate"
)

type benchCommand struct {
	Quick      bool   `help:"Few and short rounds: to see that it works, not to compare."`
	Rounds     int    `default:"5" help:"Rounds of each workload; the table has their medians."`
	Businesses int    `default:"20" help:"Businesses in the database; one of them is measured."`
	Clients    int    `default:"8" help:"Connections that ask at once."`
	Only       string `help:"Only the workloads with this in their name: start, schedule, customers, search, wall, booking, rush, race, fragment."`
}

// Run measures the product against what its database can do, on an embedded server of its own in a temporary directory,
// and prints the table of docs/performance.md. An aim that is missed is told and is no error.
func (b benchCommand) Run(p *program) (err error) {
	if b.Rounds < 1 || b.Businesses < 1 || b.Clients < 1 {
		return errors.New("rounds, businesses and clients must be at least 1")
	}
	dir, d, say, end, err := benchDatabase(p)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, end()) }()
	self, err := os.Executable()
	if err != nil {
		return err
	}
	o := bench.Options{
		URL: func(role string) string { return asRole(d.app, role) }, Dir: dir, Say: say, Only: b.Only,
		Businesses: b.Businesses, Clients: b.Clients, Rounds: b.Rounds, Warm: time.Second, Window: 2 * time.Second,
		Check: func(ctx context.Context) error { return connectAndCheck(ctx, d.app) },
		Serve: func(ctx context.Context) *exec.Cmd { return serveOn(ctx, self, d.app) },
	}
	if b.Quick {
		o.Rounds, o.Window = 2, time.Second
	}
	r, err := bench.Run(p.ctx, o)
	if err != nil {
		return err
	}
	_, err = fmt.Fprint(p.stdout, "\n", r.Markdown())
	return err
}

// benchDatabase starts an embedded server with a migrated and empty database in a temporary directory. end takes both away.
func benchDatabase(p *program) (dir string, d database, say func(string), end func() error, err error) {
	say = func(line string) { fmt.Fprintln(p.stderr, line) }
	if dir, err = os.MkdirTemp("", "foyer-bench-"); err != nil {
		return "", database{}, nil, nil, err
	}
	end = func() error { return os.RemoveAll(dir) }
	err = os.Chmod(dir, 0o755) //nolint:gosec // Postgres may run as another account, which must get through
	if err == nil {
		d, err = openDatabase(p.ctx, Config{DataDir: dir}, p, say)
	}
	if err != nil {
		return "", database{}, nil, nil, errors.Join(err, end())
	}
	end = func() error { return errors.Join(d.stop(context.WithoutCancel(p.ctx)), os.RemoveAll(dir)) }
	if err = migrateDatabase(p.ctx, d, say); err != nil {
		return "", database{}, nil, nil, errors.Join(err, end())
	}
	return dir, d, say, end, nil
}

// asRole is the address of the same database for another role.
func asRole(address, role string) string {
	u, err := url.Parse(address)
	if err != nil {
		panic(err) // it is made by the embedded server
	}
	u.User = url.User(role)
	return u.String()
}

// connectAndCheck is what "foyer serve" asks the database before it serves.
func connectAndCheck(ctx context.Context, address string) error {
	if err := migrate.Check(ctx, address); err != nil {
		return err
	}
	db, err := pg.Open(ctx, pg.Config{URL: address})
	if err == nil {
		db.Close()
	}
	return err
}

// serveOn is the command of the server that is measured: with its settings, and limits that are never reached.
func serveOn(ctx context.Context, program, address string) *exec.Cmd {
	const many = "1000000000"
	cmd := exec.CommandContext(ctx, program, "serve") //nolint:gosec // ourselves
	cmd.Env = []string{
		"DATABASE_URL=" + address, "FOYER_SECRET=a secret of a bench, and of nothing else", "FOYER_ADDR=127.0.0.1:0",
		"STOREFRONT_RATE_LIMIT_MAX=" + many, "STOREFRONT_WRITE_RATE_LIMIT_MAX=" + many,
	}
	return cmd
}
