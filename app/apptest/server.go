package apptest

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/ory/dockertest/v3"
	"github.com/ory/dockertest/v3/docker"

	"foyer/app/apptest/scratch"
	"foyer/app/pg/embedded"
	"foyer/migrate"
)

// superURL gives the superuser's address of a database on the server all packages of a test run share:
// TEST_DATABASE_URL when set, else a container where a Docker daemon answers, else the embedded runner. The embedded
// server outlives the test process and stops itself a minute after its last user.
var superURL = sync.OnceValues(func() (func(role, database string) string, error) {
	if address := os.Getenv("TEST_DATABASE_URL"); address != "" {
		return onServer(address)
	}
	if pool, err := dockertest.NewPool(""); err == nil && pool.Client.Ping() == nil {
		return inContainer(pool)
	}
	return embeddedServer(context.Background())
})

// embeddedServer starts or joins the server in the folder for scratch, one per user and major version.
func embeddedServer(ctx context.Context) (func(role, database string) string, error) {
	major, err := embedded.Major(ctx, embedded.Options{})
	if err != nil {
		return nil, err
	}
	dir := filepath.Join(scratch.Dir(), fmt.Sprintf("foyer-test-%d-pg%d", os.Getuid(), major), "pg")
	s, err := embedded.Start(ctx, embedded.Options{DataDir: dir, Fast: true, Detach: true})
	if err != nil {
		return nil, err
	}
	startedHere = !s.Adopted()
	return s.URL, nil
}

// dropLeftovers removes the clones of test processes that are gone, and from a server that has just been started the
// templates of migrations that have changed. A clone's name holds the number of its process, which keeps a lock while
// it lives.
func dropLeftovers(ctx context.Context, conn *pgx.Conn, started bool) error {
	keep, err := templateName()
	if err != nil {
		return err
	}
	rows, err := conn.Query(ctx, `select datname::text from pg_database
		where datname like 'clone\_%' or $2 and datname <> $1 and (datname like 'tpl\_%' or datname like 't\_%')`, keep, started)
	if err != nil {
		return err
	}
	old, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return err
	}
	for _, name := range old {
		var process int32
		if n, _ := fmt.Sscanf(name, "clone_%d_", &process); n == 1 {
			var gone bool
			err := conn.QueryRow(ctx, `select case when pg_try_advisory_lock(`+processes+`, $1)
				then pg_advisory_unlock(`+processes+`, $1) else false end`, process).Scan(&gone)
			if err != nil {
				return err
			}
			if !gone {
				continue
			}
		}
		if _, err := conn.Exec(ctx, "alter database "+name+" is_template false"); err != nil {
			return err
		}
		if _, err := conn.Exec(ctx, "drop database if exists "+name+" with (force)"); err != nil {
			return err
		}
	}
	return nil
}

// processes is the first number of the locks of test processes.
const processes = "hashtext('foyer test process')"

// process is this one's number, and alive the connection that keeps its lock.
var (
	process = rand.Int32()
	alive   *pgx.Conn
)

// startedHere reports whether this process has started the server.
var startedHere bool

func onServer(address string) (func(role, database string) string, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	return func(role, database string) string {
		c := *u
		c.User, c.Path = url.User(role), "/"+database
		if role == "postgres" {
			c.User = u.User
		}
		return c.String()
	}, nil
}

func inContainer(pool *dockertest.Pool) (func(role, database string) string, error) {
	r, err := pool.RunWithOptions(&dockertest.RunOptions{
		Repository: "postgres", Tag: "15", Env: []string{"POSTGRES_HOST_AUTH_METHOD=trust", "POSTGRES_INITDB_ARGS=--locale=C --lc-ctype=C.UTF-8"},
		Cmd: []string{"postgres", "-c", "fsync=off", "-c", "synchronous_commit=off", "-c", "max_connections=300"},
	}, func(h *docker.HostConfig) { h.AutoRemove = true })
	if err != nil {
		return nil, err
	}
	if err := r.Expire(1800); err != nil {
		return nil, err
	}
	get, err := onServer("postgres://postgres@" + r.GetHostPort("5432/tcp") + "/postgres?sslmode=disable")
	if err != nil {
		return nil, err
	}
	return get, pool.Retry(func() error { return execute(context.Background(), get("postgres", "postgres"), "select 1") })
}

// lockTemplates lets one process at a time make or drop templates, until its connection ends.
const lockTemplates = "select pg_advisory_lock(hashtext('foyer test template'))"

// template returns the name of a migrated database that tests clone. The name depends on the migrations, so a changed
// migration makes a new one; an advisory lock lets one process build it.
var template = sync.OnceValues(func() (string, error) {
	at, err := superURL()
	if err != nil {
		return "", err
	}
	name, err := templateName()
	if err != nil {
		return "", err
	}
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, at("postgres", "postgres"))
	if err != nil {
		return "", err
	}
	defer conn.Close(ctx)
	if _, err := conn.Exec(ctx, lockTemplates); err != nil {
		return "", err
	}
	if err := dropLeftovers(ctx, conn, startedHere); err != nil {
		return "", err
	}
	var done bool
	err = conn.QueryRow(ctx, "select exists (select from pg_database where datname = $1 and datistemplate)", name).Scan(&done)
	if err != nil || done {
		return name, err
	}
	if _, err := conn.Exec(ctx, "drop database if exists "+name); err != nil {
		return "", err
	}
	super := func(database string) string { return at("postgres", database) }
	if err := migrate.Bootstrap(ctx, super, name); err != nil {
		return "", err
	}
	if _, err := migrate.Up(ctx, at("foyer_owner", name), nil); err != nil {
		return "", err
	}
	if err := execute(ctx, super(name), oneStudio); err != nil {
		return "", err
	}
	_, err = conn.Exec(ctx, "alter database "+name+" is_template true")
	return name, err
})

// oneStudio are the statistics that autovacuum, which tests do without, first gathers in a database with one studio:
// one value of business_id. Without them the planner believes that a studio has a row or none, treats each index that
// begins with business_id as equally good, and joins a thousand rows by going through all of them for each.
const oneStudio = `insert into pg_statistic (starelid, staattnum, stainherit, stanullfrac, stawidth, stadistinct,
		stakind1, stakind2, stakind3, stakind4, stakind5, staop1, staop2, staop3, staop4, staop5, stacoll1, stacoll2, stacoll3, stacoll4, stacoll5)
	select a.attrelid, a.attnum, false, 0, 16, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
	from pg_attribute a join pg_class c on c.oid = a.attrelid
	where a.attname = 'business_id' and c.relkind = 'r' and c.relnamespace = 'public'::regnamespace`

func templateName() (string, error) {
	sum, err := migrate.Sum()
	if err != nil {
		return "", err
	}
	hash := sha256.Sum256(append(append(sum, migrate.RolesSQL("x")...), oneStudio...))
	return fmt.Sprintf("tpl_%x", hash[:8]), nil
}

// Database is one test's own database.
type Database struct {
	Name string
	at   func(role, database string) string
}

// URL is the database's address as a role: foyer_app, foyer_job, foyer_owner or postgres.
func (d Database) URL(role string) string { return d.at(role, d.Name) }

// NewDatabase returns an unused clone of the migrated template, for this test alone.
func NewDatabase(t testing.TB) Database {
	t.Helper()
	d := cloneTemplate(t)
	t.Cleanup(func() { dropDatabase(t, d.Name) })
	return d
}

func cloneTemplate(t testing.TB) Database {
	t.Helper()
	name, err := template()
	if err != nil {
		t.Fatalf("apptest: no Postgres to test with: %v", err)
	}
	d := create(t, name+" strategy file_copy")
	if !Guarded {
		dropBackstops(t, d)
	}
	return d
}

// EmptyDatabase has the roles and no schema.
func EmptyDatabase(t testing.TB) Database {
	t.Helper()
	d := BareDatabase(t)
	if err := migrate.Bootstrap(t.Context(), func(name string) string { return d.at("postgres", name) }, d.Name); err != nil {
		t.Fatal(err)
	}
	return d
}

// BareDatabase returns a database as an administrator creates it: empty, and without grants.
func BareDatabase(t testing.TB) Database {
	t.Helper()
	d := create(t, "template0 encoding 'UTF8'")
	t.Cleanup(func() { dropDatabase(t, d.Name) })
	return d
}

// created numbers the databases of tests that run in parallel.
var created atomic.Uint32

// create makes a database after a template.
func create(t testing.TB, after string) Database {
	t.Helper()
	at, err := superURL()
	if err != nil {
		t.Fatalf("apptest: no Postgres to test with: %v", err)
	}
	super, err := administrator()
	if err != nil {
		t.Fatalf("apptest: no Postgres to test with: %v", err)
	}
	d := Database{Name: fmt.Sprintf("clone_%d_%x_%x", process, time.Now().UnixNano(), created.Add(1)), at: at}
	if _, err := super.Exec(t.Context(), "create database "+d.Name+" template "+after); err != nil {
		t.Fatalf("apptest: create: %v", err)
	}
	return d
}

func dropDatabase(t testing.TB, name string) {
	t.Helper()
	super, err := administrator()
	if err == nil {
		_, err = super.Exec(context.Background(), "drop database if exists "+name+" with (force)")
	}
	if err != nil {
		t.Errorf("apptest: drop %s: %v", name, err)
	}
}

// administrator creates and drops databases: connections shared by all tests of a process. One of them holds the lock
// that shows that the process lives.
var administrator = sync.OnceValues(func() (*pgxpool.Pool, error) {
	at, err := superURL()
	if err != nil {
		return nil, err
	}
	c, err := pgxpool.ParseConfig(at("postgres", "postgres"))
	if err != nil {
		return nil, err
	}
	c.ConnConfig.DefaultQueryExecMode = pgx.QueryExecModeSimpleProtocol // each of its statements is sent once
	if alive, err = pgx.ConnectConfig(context.Background(), c.ConnConfig); err != nil {
		return nil, err
	}
	if _, err := alive.Exec(context.Background(), "select pg_advisory_lock("+processes+", $1)", process); err != nil {
		return nil, err
	}
	return pgxpool.NewWithConfig(context.Background(), c)
})

// execute runs statements on a connection of their own.
func execute(ctx context.Context, address, sql string) error {
	conn, err := pgx.Connect(ctx, address)
	if err != nil {
		return err
	}
	_, err = conn.Exec(ctx, sql)
	return errors.Join(err, conn.Close(ctx))
}
