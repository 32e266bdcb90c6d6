package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"foyer/app/clock"
	"foyer/app/identity"
	"foyer/app/pg"
)

type inviteCommand struct {
	Email        string `required:"" help:"Address of the owner; only this address can use the link."`
	BusinessName string `help:"Fills in the studio's name on the page."`
}

// Run prints the link of a new invite.
func (i inviteCommand) Run(p *program) error {
	return p.withDatabase(func(c Config, db *pg.DB) error {
		invite, err := identity.CreateInvite(p.ctx, db, i.Email, i.BusinessName)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(p.stdout, "%s/invite/%s\n", cmp.Or(c.BaseURL, "http://localhost"+c.Addr), invite.Token)
		return err
	})
}

// withDatabase runs a command that needs nothing but the product's database.
func (p *program) withDatabase(run func(Config, *pg.DB) error) (err error) {
	c, err := readConfig(p.getenv, p.environ)
	if err != nil {
		return err
	}
	d, err := openDatabase(p.ctx, c, p, p.say)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.stop(context.WithoutCancel(p.ctx))) }()
	if c.DatabaseURL == "" { // a server of our own may be new
		if err := migrateDatabase(p.ctx, d, p.say); err != nil {
			return err
		}
	}
	db, err := pg.Open(p.ctx, pg.Config{URL: d.app, MaxConns: 4, Clock: clock.System{}})
	if err != nil {
		return err
	}
	defer db.Close()
	return run(c, db)
}
