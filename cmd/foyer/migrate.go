package main

import (
	"context"
	"errors"
	"fmt"

	"foyer/migrate"
)

type migrateCommand struct {
	Up    migrateUpCommand    `cmd:"" default:"1" help:"Apply what is missing, as foyer_owner."`
	Roles migrateRolesCommand `cmd:"" help:"Print the SQL that an administrator runs once."`
}

type migrateUpCommand struct{}

// Run applies migrations to DATABASE_OWNER_URL, or to the embedded server.
func (migrateUpCommand) Run(p *program) (err error) {
	c, err := readConfig(p.getenv, p.environ)
	if err != nil {
		return err
	}
	say := func(line string) { fmt.Fprintln(p.stderr, line) }
	d := database{owner: c.DatabaseOwnerURL}
	if c.DatabaseOwnerURL == "" {
		if d, err = openDatabase(p.ctx, c, p, say); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, d.stop(context.WithoutCancel(p.ctx))) }()
	}
	if d.owner == "" {
		return errors.New("DATABASE_OWNER_URL is not set: migrations need the owner role")
	}
	r, err := migrate.Up(p.ctx, d.owner, say)
	if err != nil {
		return err
	}
	fmt.Fprintf(p.stdout, "%d applied, the schema is at version %d\n", r.Applied, r.Version)
	return nil
}

type migrateRolesCommand struct {
	Database string `default:"foyer" help:"Name of the database."`
}

// Run prints the roles.
func (c migrateRolesCommand) Run(p *program) error {
	_, err := fmt.Fprint(p.stdout, migrate.RolesSQL(c.Database))
	return err
}
