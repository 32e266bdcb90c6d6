package bench

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"os/exec"
	"runtime"
	"strings"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"foyer/app/pg"
)

// Options configure a run. All of them are required, except Only and Against.
type Options struct {
	// URL is the address of a database of the server for a role; "postgres" is the superuser.
	URL func(role, database string) string
	// Database is migrated and empty. RunGrowth uses it as the template of its databases, so it must be without
	// connections then.
	Database string
	// Serve is the command of a server on the database at that address, on a free port of this machine, with rate
	// limits that nothing here reaches.
	Serve func(ctx context.Context, address string) *exec.Cmd
	// Check is the check of a server before it serves: it connects and verifies that the migrations are applied.
	Check func(context.Context) error

	Dir        string        // for scratch files
	Businesses int           // at least 1
	Clients    int           // concurrent connections
	Rounds     int           // of every workload
	Warm       time.Duration // of each contender and round, uncounted; whole seconds, at least one
	Window     time.Duration // counted; whole seconds, at least one
	Only       string        // workloads with this in their name
	Say        func(string)  // reports progress, line by line

	Against *Other // nil: the product alone
}

// Other is another binary of the product, an older one, on a database that it has migrated. Its schema has the
// columns that the seeds write.
type Other struct {
	Database string
	Serve    func(ctx context.Context, address string) *exec.Cmd
}

// bench is one run.
type bench struct {
	Options
	timing timing
	super  *pgx.Conn
	db     *pg.DB // as the product opens it
	cpu    cpuOf  // of Postgres
	floor  pgbench
	place  place
	server *server

	carts int64        // how many there are
	cart  atomic.Int64 // the next unused one

	rushCarts int64 // carts of each rush

	other *bench // of Against: seeded alike, over HTTP only
}

// workload is a part of the run with rows of its own.
type workload struct {
	name string
	run  func(*bench, context.Context) ([]Row, error)
}

var workloads = []workload{
	{"start", (*bench).start},
	{"schedule", (*bench).schedule},
	{"customers", (*bench).customers},
	{"search", (*bench).search},
	{"console", (*bench).console},
	{"hosted", (*bench).hosted},
	{"wall", (*bench).wall},
	{"booking", (*bench).booking},
	{"fresh", (*bench).fresh},
	{"agreed", (*bench).agreed},
	{"paid", (*bench).paid},
	{"settle", (*bench).settle},
	{"rush", (*bench).rush},
	{"race", (*bench).race},
	{"goods", (*bench).goods},
	{"credit", (*bench).credit}, // from here on customers have plans, which would pay instead of cards
	{"plans", (*bench).plans},
	{"fragment", (*bench).fragment},
	{"accounting", (*bench).accounting},
	{"photos", (*bench).photos},
	{"mcp", (*bench).mcp},
}

// Run seeds the database and measures. An aim that is missed is no error.
func Run(ctx context.Context, o Options) (r Report, err error) {
	b := &bench{Options: o, timing: timing{o.Warm, o.Window}}
	load := loadAverage()
	if err := b.open(ctx); err != nil {
		return Report{}, errors.Join(err, b.close(ctx))
	}
	defer func() { err = errors.Join(err, b.close(ctx)) }()
	for _, w := range workloads {
		if !strings.Contains(w.name, o.Only) {
			continue
		}
		rows, err := w.run(b, ctx)
		if err != nil {
			return Report{}, err
		}
		r.Rows = append(r.Rows, rows...)
	}
	r.Machine, err = b.machine(ctx, fmt.Sprintf("%d businesses, %d clients", o.Businesses, o.Clients), load)
	return r, err
}

// open connects, seeds and starts the parts that all workloads share; and the same for the other binary.
func (b *bench) open(ctx context.Context) (err error) {
	// Over HTTP, by the verbs, and twice by pgbench.
	carts := 20 + 4*paidOfRound + 2*tappedBookings + int64(b.Rounds)*(2*confirmsOfRound+4*paidOfRound+3*b.cartsOfLoad()+
		3*int64(b.Clients)*b.cartsOfClient())
	if err := b.prepare(ctx, carts); err != nil {
		return err
	}
	if err := b.serve(ctx); err != nil || b.Against == nil {
		return err
	}
	o := b.Options
	o.Database, o.Serve, o.Against = b.Against.Database, b.Against.Serve, nil
	o.Say = func(line string) { b.Say("other: " + line) }
	b.other = &bench{Options: o, timing: b.timing}
	if err := b.other.prepare(ctx, 2*tappedBookings+int64(b.Rounds)*b.cartsOfLoad()); err != nil {
		return err
	}
	b.other.server, err = b.other.startServer(ctx)
	return err
}

// prepare connects and seeds, with so many carts to be held.
func (b *bench) prepare(ctx context.Context, carts int64) (err error) {
	if err := b.connect(ctx); err != nil {
		return err
	}
	b.carts, b.rushCarts = carts, int64(b.Rounds)*b.rushOfLoad()
	if err := seed(ctx, b.super, size{
		businesses: b.Businesses, bookings: 20_000, appointments: 20_040, carts: int(b.carts), rush: int(b.rushCarts),
		races: 2 * b.Rounds * racesOfRound, // at once, and one after another
	}, b.Say); err != nil {
		return err
	}
	b.place, err = placeOf(ctx, b.super)
	return err
}

// connect connects as the superuser and finds pgbench.
func (b *bench) connect(ctx context.Context) (err error) {
	if b.super, err = pgx.Connect(ctx, b.url("postgres")); err != nil {
		return err
	}
	path, err := findPgbench(ctx, b.super)
	if err != nil {
		return err
	}
	config, err := pgx.ParseConfig(b.url("foyer_app"))
	if err != nil {
		return err
	}
	var backend int
	if err := b.super.QueryRow(ctx, "select pg_backend_pid()").Scan(&backend); err != nil {
		return err
	}
	s, _ := statOf(backend) // without /proc there is no CPU in the report
	b.cpu = cpuOf{postmaster: s.parent}
	b.floor = pgbench{path: path, dir: b.Dir, config: config, clients: b.Clients, threads: min(b.Clients, runtime.NumCPU()), cpu: b.cpu}
	return nil
}

// serve opens the database as the product does and starts a server on it.
func (b *bench) serve(ctx context.Context) (err error) {
	if b.db, err = pg.Open(ctx, pg.Config{URL: b.url("foyer_app"), MaxConns: max(16, b.Clients)}); err != nil {
		return err
	}
	b.server, err = b.startServer(ctx)
	return err
}

func (b *bench) close(ctx context.Context) (err error) {
	if b.other != nil {
		err = b.other.close(ctx)
	}
	if b.server != nil {
		err = errors.Join(err, b.server.stop())
	}
	if b.db != nil {
		b.db.Close()
	}
	if b.super != nil {
		err = errors.Join(err, b.super.Close(context.WithoutCancel(ctx)))
	}
	return err
}

func (b *bench) url(role string) string { return b.URL(role, b.Database) }

// listen returns the statements of the product for fn on a database of its own.
func (b *bench) listen(ctx context.Context, fn func(db *pg.DB) error) ([]trip, error) {
	heard := &recorder{}
	db, err := pg.Open(ctx, pg.Config{URL: b.url("foyer_app"), MaxConns: 1, Tracer: heard})
	if err != nil {
		return nil, err
	}
	defer db.Close()
	return heard.listen(func() error { return fn(db) })
}

// serverCPU is Postgres and the server, ownCPU Postgres and this process.
func (b *bench) serverCPU() cpuOf { return b.cpu.and(b.server.cmd.Process.Pid) }

//go:embed names.sql seed.sql seed_salon.sql seed_console.sql seed_rush.sql seed_bare.sql seed_accounting.sql seed_goods.sql seed_renewals.sql growth.sql indexes.sql
var seeds embed.FS

// size is the size of the seed. Business 0 is measured, and has ten times the bookings and customers of another.
type size struct {
	businesses   int // at least 1
	bookings     int // of classes of business 0
	appointments int // of business 0, over two weeks or more: a multiple of 120
	carts        int // ready to be held; each serves one booking
	rush         int // carts that want a person, and as many that want a room; a multiple of 32
	races        int // for the last seat of a class
}

// seed fills a migrated database, as the superuser. say gets one line a step.
func seed(ctx context.Context, super *pgx.Conn, s size, say func(string)) error {
	settings := map[string]int{
		"businesses": s.businesses, "bookings": s.bookings, "appointments": s.appointments, "carts": s.carts, "rush": s.rush,
		"races": s.races,
	}
	return fill(ctx, super, settings, say, "names.sql", "seed.sql", "seed_salon.sql", "seed_console.sql", "seed_rush.sql", "indexes.sql", "seed_bare.sql")
}

// seedGrowth fills a migrated database with businesses that are all alike, and with carts in businesses drawn at
// random.
func seedGrowth(ctx context.Context, super *pgx.Conn, businesses, carts int, say func(string)) error {
	return fill(ctx, super, map[string]int{"businesses": businesses, "carts": carts}, say, "names.sql", "growth.sql", "indexes.sql")
}

// fill runs the steps of seeds without triggers: nothing is checked, and nothing is written down in the audit trail.
// The settings are there as bench.<name>.
func fill(ctx context.Context, super *pgx.Conn, settings map[string]int, say func(string), files ...string) error {
	before := "set session_replication_role = replica; set work_mem = '256MB';"
	for name, value := range settings {
		before += fmt.Sprintf(" set bench.%s = %d;", name, value)
	}
	if _, err := super.Exec(ctx, before); err != nil {
		return err
	}
	for _, file := range files {
		text, err := seeds.ReadFile(file)
		if err != nil {
			return err
		}
		for _, step := range strings.Split(string(text), "\n-- ## ")[1:] {
			title, sql, _ := strings.Cut(step, "\n")
			say("seeding: " + title)
			if _, err := super.Exec(ctx, sql); err != nil {
				return fmt.Errorf("bench: %s, %s: %w", file, title, err)
			}
		}
	}
	if _, err := super.Exec(ctx, "reset session_replication_role; reset work_mem"); err != nil {
		return err
	}
	say("seeding: statistics")
	_, err := super.Exec(ctx, "vacuum analyze")
	return err
}

// place is where the measured rows are.
type place struct {
	Business, Location uuid.UUID
	Owner              string // session token
	Bookers            int
}

func placeOf(ctx context.Context, super *pgx.Conn) (p place, err error) {
	err = super.QueryRow(ctx, `select bench.business(0), bench.location(0), bench.session_token(1000), bench.bookers()`).
		Scan(&p.Business, &p.Location, &p.Owner, &p.Bookers)
	return p, err
}
