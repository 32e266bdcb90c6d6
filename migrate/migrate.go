package migrate

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"ariga.io/atlas/sql/migrate"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivermigrate"
)

//go:embed sql
var files embed.FS

// folder is the one of the files.
var folder, _ = fs.Sub(files, "sql") // a fixed name is never a wrong one

// riverVersion is the place of River's migrations in the history; riverSchema is where its tables live.
const (
	riverVersion = 2
	riverSchema  = "river"
)

// Result says what Up did.
type Result struct {
	Applied int   // migrations applied now
	Version int64 // the schema's version
}

// Up applies what is missing, as the owner role, while the product runs: a migration that meets somebody on a table gives way and is
// tried again. progress, when not nil, hears one line per migration.
func Up(ctx context.Context, ownerURL string, progress func(string)) (Result, error) {
	if err := CheckSum(); err != nil {
		return Result{}, err
	}
	p, db, err := provider(ownerURL)
	if err != nil {
		return Result{}, err
	}
	defer db.Close()
	if progress == nil {
		progress = func(string) {}
	}
	applied, err := givingWay(ctx, p.Up, progress)
	if err != nil {
		return Result{}, fmt.Errorf("migrate: %w", err)
	}
	for _, r := range applied {
		progress(fmt.Sprintf("migration %d applied in %s", r.Source.Version, r.Duration.Round(time.Millisecond)))
	}
	v, err := p.GetDBVersion(ctx)
	return Result{Applied: len(applied), Version: v}, err
}

// UpTo applies the files up to that version, for tests of the next one.
func UpTo(ctx context.Context, ownerURL string, version int64) error {
	p, db, err := provider(ownerURL)
	if err != nil {
		return err
	}
	defer db.Close()
	_, err = p.UpTo(ctx, version)
	return err
}

// ErrBehind says that the database lacks migrations of this build.
var ErrBehind = errors.New("the database is behind this build: run \"foyer migrate\" (or \"foyer serve --migrate\")")

// AppliedSQL asks a database for its version.
const AppliedSQL = "select coalesce(max(version_id), 0) from goose_db_version where is_applied"

// Check tells whether the database has every migration, as any role that may connect.
func Check(ctx context.Context, url string) error {
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	return CheckOn(ctx, conn)
}

// CheckOn is Check on what is open already: a connection or a pool.
func CheckOn(ctx context.Context, on interface {
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}) error {
	var have int64
	if err := on.QueryRow(ctx, AppliedSQL).Scan(&have); err != nil {
		return fmt.Errorf("%w (%w)", ErrBehind, err)
	}
	want, err := Latest()
	if err != nil {
		return err
	}
	if have < want {
		return fmt.Errorf("%w: version %d, want %d", ErrBehind, have, want)
	}
	return nil
}

// Latest is the number of this build's last file.
func Latest() (int64, error) {
	names, err := fs.Glob(files, "sql/*.sql")
	if err != nil {
		return 0, err
	}
	return goose.NumericComponent(names[len(names)-1])
}

func provider(ownerURL string) (*goose.Provider, *sql.DB, error) {
	db, err := open(ownerURL)
	if err != nil {
		return nil, nil, err
	}
	// Replicas that wait for the lock look again after a second, not after goose's five.
	locker, err := lock.NewPostgresSessionLocker(lock.WithLockTimeout(1, 300))
	if err != nil {
		return nil, nil, err
	}
	river := goose.NewGoMigration(riverVersion, &goose.GoFunc{RunDB: func(ctx context.Context, _ *sql.DB) error {
		return migrateRiver(ctx, ownerURL)
	}}, nil)
	p, err := goose.NewProvider(goose.DialectPostgres, db, folder,
		goose.WithSessionLocker(locker), goose.WithGoMigrations(river), goose.WithDisableGlobalRegistry(true))
	if err != nil {
		return nil, nil, errors.Join(err, db.Close())
	}
	return p, db, nil
}

// migrateRiver makes River's tables in their own schema, and lets the app put jobs in and the worker run them. River's
// tables carry no tenant: job arguments hold ids only.
func migrateRiver(ctx context.Context, ownerURL string) error {
	pool, err := pgxpool.New(ctx, ownerURL)
	if err != nil {
		return err
	}
	defer pool.Close()
	if _, err := pool.Exec(ctx, "create schema if not exists "+riverSchema); err != nil {
		return err
	}
	m, err := rivermigrate.New(riverpgxv5.New(pool), &rivermigrate.Config{Schema: riverSchema})
	if err != nil {
		return err
	}
	if _, err := m.Migrate(ctx, rivermigrate.DirectionUp, nil); err != nil {
		return err
	}
	_, err = pool.Exec(ctx, `
		grant usage on schema river to foyer_app, foyer_job;
		grant select, insert, update on all tables in schema river to foyer_app;
		grant select, insert, update, delete on all tables in schema river to foyer_job;
		grant usage, select, update on all sequences in schema river to foyer_app, foyer_job;
		grant execute on all functions in schema river to foyer_app, foyer_job`)
	return err
}

// Next is the number of the next file.
func Next() (int64, error) {
	last, err := Latest()
	return max(last, riverVersion) + 1, err
}

// CheckSum fails when a file differs from what atlas.sum says it was.
func CheckSum() error {
	dir, err := memDir(folder)
	if err != nil {
		return err
	}
	if err := migrate.Validate(dir); err != nil {
		return fmt.Errorf("migrate: atlas.sum: %w (after adding a file run \"make gen\")", err)
	}
	return nil
}

// Sum is what atlas.sum must hold for the files of this build.
func Sum() ([]byte, error) { return sumOf(folder) }

// WriteSum writes atlas.sum for the files of a folder as they are.
func WriteSum(folder string) error {
	sum, err := sumOf(os.DirFS(folder))
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, migrate.HashFileName), sum, 0o644)
}

func sumOf(from fs.FS) ([]byte, error) {
	dir, err := memDir(from)
	if err != nil {
		return nil, err
	}
	sum, err := dir.Checksum()
	if err != nil {
		return nil, err
	}
	return sum.MarshalText()
}

func memDir(from fs.FS) (*migrate.MemDir, error) {
	entries, err := fs.ReadDir(from, ".")
	if err != nil {
		return nil, err
	}
	dir := &migrate.MemDir{}
	for _, e := range entries {
		body, err := fs.ReadFile(from, e.Name())
		if err != nil {
			return nil, err
		}
		if err := dir.WriteFile(e.Name(), body); err != nil {
			return nil, err
		}
	}
	return dir, nil
}

// rolesSQL is what an administrator runs once, connected to the product's database.
//
//go:embed roles.sql
var rolesSQL string

// RolesSQL is the statement list that "foyer migrate roles" prints: roles, grants between them, and the rights on the
// database named.
func RolesSQL(database string) string { return ofDatabase(rolesSQL, database) }

// backupSQL makes the role that backups are made with.
//
//go:embed backup.sql
var backupSQL string

// BackupRoleSQL is the statement list that "foyer migrate roles --backup" prints. It is not among RolesSQL, because it needs
// somebody who may make a role that row-level security does not bind, and many a server lets nobody do that.
func BackupRoleSQL(database string) string { return ofDatabase(backupSQL, database) }

func ofDatabase(sql, database string) string {
	return strings.ReplaceAll(sql, "{database}", pgx.Identifier{database}.Sanitize())
}

// bootstrapLock lets one process at a time make roles: of two that grant the same at once, Postgres refuses one.
const bootstrapLock = "select pg_advisory_lock(hashtext('foyer bootstrap'))"

// Bootstrap makes the roles and the database on a server of our own, as its superuser. It may run again, and by several at once.
func Bootstrap(ctx context.Context, superURL func(database string) string, database string) error {
	admin, err := pgx.Connect(ctx, superURL("postgres"))
	if err != nil {
		return err
	}
	defer admin.Close(ctx) // and gives the lock back
	if _, err := admin.Exec(ctx, bootstrapLock); err != nil {
		return err
	}
	var exists bool
	if err := admin.QueryRow(ctx, "select exists (select from pg_database where datname = $1)", database).Scan(&exists); err != nil {
		return err
	}
	if !exists {
		if _, err := admin.Exec(ctx, "create database "+pgx.Identifier{database}.Sanitize()+" encoding 'UTF8' template template0"); err != nil {
			return err
		}
	}
	conn, err := pgx.Connect(ctx, superURL(database))
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	_, err = conn.Exec(ctx, RolesSQL(database))
	return err
}
