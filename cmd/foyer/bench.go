package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"time"

	"foyer/app/bench"
	"foyer/app/pg"
	"foyer/migrate"
)

type benchCommand struct {
	Quick      bool   `help:"Few and short rounds, to check that it works."`
	Rounds     int    `default:"5" help:"Rounds of each workload; the table has their medians."`
	Businesses int    `default:"20" help:"Businesses in the database; one of them is measured."`
	Clients    int    `default:"8" help:"Concurrent connections."`
	Against    string `type:"existingfile" help:"Older foyer binary to compare with, on a database of its own."`
	Only       string `help:"Only the workloads with this in their name: start, schedule, customers, search, console, hosted, wall, booking, fresh, agreed, paid, settle, rush, race, goods, credit, plans, fragment, accounting, photos, mcp."`
}

// Run measures the product against its database, on an embedded server of its own in a temporary directory, and
// prints the table of docs/performance.md. A missed aim is reported and is no error.
func (b benchCommand) Run(p *program) error {
	if b.Rounds < 1 || b.Businesses < 1 || b.Clients < 1 {
		return errors.New("rounds, businesses and clients must be at least 1")
	}
	return runBench(p, b.Quick, b.Rounds, func(o bench.Options) (bench.Report, error) {
		o.Only, o.Businesses, o.Clients = b.Only, b.Businesses, b.Clients
		if b.Against != "" {
			var err error
			if o.Against, err = migratedBy(p, b.Against, o.URL); err != nil {
				return bench.Report{}, err
			}
		}
		return bench.Run(p.ctx, o)
	})
}

// otherDatabase is the database of the other binary.
const otherDatabase = "foyer_other"

// migratedBy has another binary migrate a database of the same server.
func migratedBy(p *program, binary string, address func(role, database string) string) (*bench.Other, error) {
	if err := migrate.Bootstrap(p.ctx, func(database string) string { return address("postgres", database) }, otherDatabase); err != nil {
		return nil, err
	}
	cmd := commandOn(p.ctx, binary, "migrate", address("foyer_app", otherDatabase))
	cmd.Env = append(cmd.Env, "DATABASE_OWNER_URL="+address("foyer_owner", otherDatabase))
	if said, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%s migrate: %w: %s", binary, err, said)
	}
	return &bench.Other{Database: otherDatabase, Serve: func(ctx context.Context, address string) *exec.Cmd {
		return serveOn(ctx, binary, address)
	}}, nil
}

// runBench measures on a server of its own and prints the table.
func runBench(p *program, quick bool, rounds int, measure func(bench.Options) (bench.Report, error)) (err error) {
	o, end, err := benchOptions(p, quick, rounds)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, end()) }()
	r, err := measure(o)
	if err != nil {
		return err
	}
	_, err = fmt.Fprint(p.stdout, "\n", r.Markdown())
	return err
}

// benchOptions starts an embedded server with a migrated and empty database in a temporary directory, and returns the
// options of all benches. end removes both.
func benchOptions(p *program, quick bool, rounds int) (o bench.Options, end func() error, err error) {
	self, err := os.Executable()
	if err != nil {
		return bench.Options{}, nil, err
	}
	dir, err := os.MkdirTemp("", "foyer-bench-")
	if err != nil {
		return bench.Options{}, nil, err
	}
	stop := func() error { return os.RemoveAll(dir) }
	defer func() {
		if err != nil {
			err = errors.Join(err, stop())
		}
	}()
	if err := os.Chmod(dir, 0o755); err != nil { //nolint:gosec // Postgres may run as another account, which must get through
		return bench.Options{}, nil, err
	}
	d, err := openDatabase(p.ctx, Config{DataDir: dir}, p, p.say)
	if err != nil {
		return bench.Options{}, nil, err
	}
	stop = func() error { return errors.Join(d.stop(context.WithoutCancel(p.ctx)), os.RemoveAll(dir)) }
	if err := migrateDatabase(p.ctx, d, p.say); err != nil {
		return bench.Options{}, nil, err
	}
	o = bench.Options{
		URL: func(role, database string) string { return inDatabase(d.app, role, database) }, Database: databaseName,
		Dir: dir, Say: p.say, Rounds: rounds, Warm: time.Second, Window: 2 * time.Second,
		Check: func(ctx context.Context) error { return connectAndCheck(ctx, d.app) },
		Serve: func(ctx context.Context, address string) *exec.Cmd { return serveOn(ctx, self, address) },
	}
	if quick {
		o.Rounds, o.Window = 2, time.Second
	}
	return o, stop, nil
}

// inDatabase is the address of a database of the same server for a role.
func inDatabase(address, role, database string) string {
	u, err := url.Parse(address)
	if err != nil {
		panic(err) // it is made by the embedded server
	}
	u.User, u.Path = url.User(role), "/"+database
	return u.String()
}

// connectAndCheck is the check of the database by "foyer serve" before it serves.
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
	cmd := commandOn(ctx, program, "serve", address)
	cmd.Env = append(cmd.Env, "FOYER_ADDR=127.0.0.1:0", "STOREFRONT_RATE_LIMIT_MAX="+many, "STOREFRONT_WRITE_RATE_LIMIT_MAX="+many)
	return cmd
}

func commandOn(ctx context.Context, program, name, address string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, program, name) //nolint:gosec // this binary, or one beside it
	cmd.Env = []string{"DATABASE_URL=" + address, "FOYER_SECRET=a secret of a bench, and of nothing else",
		"FOYER_SEAL_KEYS=" + strings.Repeat("be", 32)}
	return cmd
}

type benchGrowthCommand struct {
	Quick  bool  `help:"Few and short rounds, to check that it works."`
	Rounds int   `default:"5" help:"Rounds of each request; the table has their medians."`
	Sizes  []int `default:"1,100,1000,10000" help:"Numbers of businesses. The others are compared with the first."`
}

// Run measures how the cost of a request grows with the number of businesses, on an embedded server of its own in a
// temporary directory, and prints the second table of docs/performance.md. A missed aim is reported and is no error.
func (b benchGrowthCommand) Run(p *program) error {
	if b.Rounds < 1 {
		return errors.New("rounds must be at least 1")
	}
	return runBench(p, b.Quick, b.Rounds, func(o bench.Options) (bench.Report, error) {
		return bench.RunGrowth(p.ctx, o, b.Sizes...)
	})
}
