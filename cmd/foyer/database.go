package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"foyer/app/pg/embedded"
	"foyer/migrate"
)

// database is the addresses of one database by role. owner is empty where this process may not migrate.
type database struct {
	app, job, owner string
	super           string                      // of an embedded server only
	keep            func(context.Context) error // starts a server of our own again when it has died; nil for another's
	stop            func(context.Context) error
}

// databaseName is the name of the product's database on an embedded server.
const databaseName = "foyer"

// openDatabase opens the server of DATABASE_URL, or else starts one of our own in the data directory and creates
// missing roles and the database. say gets one line before each step that takes seconds.
func openDatabase(ctx context.Context, c Config, p *program, say func(string)) (database, error) {
	if c.DatabaseURL != "" {
		return database{app: c.DatabaseURL, job: c.DatabaseJobURL, owner: c.DatabaseOwnerURL,
			stop: func(context.Context) error { return nil }}, nil
	}
	s, err := embedded.Start(ctx, embedded.Options{DataDir: c.postgresDir(), Progress: say, Getenv: p.getenv})
	if err != nil {
		return database{}, err
	}
	super := func(name string) string { return s.URL("postgres", name) }
	if err := migrate.Bootstrap(ctx, super, databaseName); err != nil {
		return database{}, errors.Join(err, s.Stop(context.WithoutCancel(ctx)))
	}
	return database{
		app: s.URL("foyer_app", databaseName), job: s.URL("foyer_job", databaseName), owner: s.URL("foyer_owner", databaseName),
		super: super(databaseName), keep: s.Keep, stop: s.Stop,
	}, nil
}

// postgresDir is the data directory of the embedded server.
func (c Config) postgresDir() string { return filepath.Join(c.DataDir, "pg") }

// migrateDatabase brings it up to date.
func migrateDatabase(ctx context.Context, d database, say func(string)) error {
	if d.owner == "" {
		return errors.New("DATABASE_OWNER_URL is not set: migrations need the owner role")
	}
	_, err := migrate.Up(ctx, d.owner, say)
	return err
}

type migrateCommand struct {
	Up    migrateUpCommand    `cmd:"" default:"1" help:"Apply missing migrations, as foyer_owner."`
	Roles migrateRolesCommand `cmd:"" help:"Print the SQL for an administrator to run once."`
}

type migrateUpCommand struct{}

// Run applies migrations to DATABASE_OWNER_URL, or to the embedded server.
func (migrateUpCommand) Run(p *program) (err error) {
	c, err := readConfig(p.getenv, p.environ)
	if err != nil {
		return err
	}
	d := database{owner: c.DatabaseOwnerURL}
	if c.DatabaseOwnerURL == "" {
		if d, err = openDatabase(p.ctx, c, p, p.say); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, d.stop(context.WithoutCancel(p.ctx))) }()
	}
	if d.owner == "" {
		return errors.New("DATABASE_OWNER_URL is not set: migrations need the owner role")
	}
	r, err := migrate.Up(p.ctx, d.owner, p.say)
	if err != nil {
		return err
	}
	fmt.Fprintf(p.stdout, "%d applied, the schema is at version %d\n", r.Applied, r.Version)
	return nil
}

type migrateRolesCommand struct {
	Database string `default:"foyer" help:"Name of the database."`
	Backup   bool   `help:"Print the role that \"foyer backup\" connects as, and nothing else."`
}

// Run prints the roles.
func (c migrateRolesCommand) Run(p *program) error {
	sql := migrate.RolesSQL(c.Database)
	if c.Backup {
		sql = migrate.BackupRoleSQL(c.Database)
	}
	_, err := fmt.Fprint(p.stdout, sql)
	return err
}
