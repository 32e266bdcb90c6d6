package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/google/uuid"

	"foyer/app/assembly"
	"foyer/app/backup"
	"foyer/app/clock"
	"foyer/app/integrity"
	"foyer/app/pg"
	"foyer/app/pg/embedded"
	"foyer/migrate"
)

type restoreCommand struct {
	File        string `arg:"" help:"The backup."`
	Replace     bool   `help:"Drop the present content of the database and the photos' folder."`
	OtherSecret bool   `help:"Restore with another secret than the backup's: links in sent mails no longer open."`
}

// Run restores a backup, migrates it to this build, and verifies it. Nothing is changed if the backup does not fit
// this program, its secret or its database.
func (r restoreCommand) Run(p *program) error {
	return p.unless(r.run(p), "either nothing was restored or all of it; a second try tells")
}

func (r restoreCommand) run(p *program) (err error) {
	began := clock.System{}.Now()
	c, err := readConfig(p.getenv, p.environ)
	if err != nil {
		return err
	}
	f, err := r.open(c)
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := c.knownSealKeys(); errors.Is(err, fs.ErrNotExist) {
		p.say("There are no seal keys here: set FOYER_SEAL_KEYS, or copy the file seal-keys of the old data directory to " +
			c.sealKeysFile() + ", before the next start. Without them, studios must connect their other services again.")
	} else if err != nil {
		return err
	}
	d, err := restoreDatabase(p, c, f)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.stop(context.WithoutCancel(p.ctx))) }()
	err = f.Restore(p.ctx, p.programs(), backup.Target{URL: d.owner, Media: c.mediaDir(), Replace: r.Replace})
	if err != nil {
		return err
	}
	if err := migrateDatabase(p.ctx, d, p.say); err != nil {
		return fmt.Errorf("the backup is restored, but could not be migrated to this build: \"foyer migrate\" tries again: %w", err)
	}
	faults, err := verify(p.ctx, d, p.say)
	if err != nil {
		return fmt.Errorf("the backup is restored, but could not be verified: %w", err)
	}
	for _, fault := range faults {
		p.say(fault)
	}
	if len(faults) > 0 {
		return fmt.Errorf("the backup is restored, but has %d problems (above)", len(faults))
	}
	_, err = fmt.Fprintf(p.stdout, "restored %d rows and %d photos of %s in %s; tables, seats, money and the audit trail are in order\n",
		f.Total(), f.MediaFiles, f.MadeAt.Format(time.RFC3339), clock.System{}.Now().Sub(began).Round(100*time.Millisecond))
	return err
}

// open opens the backup and compares it with this program and the local secret.
func (r restoreCommand) open(c Config) (*backup.File, error) {
	f, err := backup.Open(r.File)
	if err != nil {
		return nil, err
	}
	migration, err := migrate.Latest()
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	ours := ""
	if !r.OtherSecret {
		secret, err := c.knownSecret()
		if errors.Is(err, fs.ErrNotExist) {
			err = fmt.Errorf("there is no secret here: set FOYER_SECRET to that of the backup (fingerprint %s), or copy the file "+
				"secret of the old data directory to %s. When it is lost, --other-secret restores without it", f.Fingerprint, c.secretFile())
		}
		if err != nil {
			return nil, errors.Join(err, f.Close())
		}
		ours = secretFingerprint(secret)
	}
	if err := f.Check(migration, ours); err != nil {
		if errors.Is(err, backup.ErrOtherSecret) {
			err = fmt.Errorf("%w. Set FOYER_SECRET to that of the backup, or copy the old data directory's file secret to %s. When it "+
				"is lost, --other-secret restores all the same", err, c.secretFile())
		}
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// restoreDatabase opens the database that takes the backup. An embedded server that is still to be made must be new
// enough before it is made.
func restoreDatabase(p *program, c Config, f *backup.File) (database, error) {
	if c.DatabaseURL != "" && c.DatabaseOwnerURL == "" {
		return database{}, errors.New("DATABASE_OWNER_URL is not set: a restore creates the tables as foyer_owner")
	}
	if c.DatabaseURL == "" {
		_, err := os.Stat(filepath.Join(c.postgresDir(), "PG_VERSION"))
		if errors.Is(err, fs.ErrNotExist) {
			major, err := embedded.Major(p.ctx, embedded.Options{Getenv: p.getenv})
			if err == nil {
				err = f.CheckServer(major)
			}
			if err != nil {
				return database{}, err
			}
		}
	}
	return openDatabase(p.ctx, c, p, p.say)
}

// verify checks a restored database: the catalog, and the data checks of every business, including the seals of its
// audit log. It returns a line for each problem.
func verify(ctx context.Context, d database, say func(string)) ([]string, error) {
	say("Verifying the restored data")
	faults, err := migrate.Audit(ctx, d.owner, assembly.Audited()...)
	if err != nil {
		return nil, err
	}
	db, err := pg.Open(ctx, pg.Config{URL: d.app, MaxConns: 4, Clock: clock.System{}})
	if err != nil {
		return nil, err
	}
	defer db.Close()
	err = db.EachBusiness(ctx, func(ctx context.Context, business uuid.UUID) error {
		report, err := integrity.CheckBusiness(ctx, db.View(business), assembly.Checks()...)
		for _, x := range report.Differences {
			faults = append(faults, fmt.Sprintf("business %s: %s: %s %s: expected %s, found %s",
				business, x.Check, x.Record, x.RecordID, x.Expected, x.Found))
		}
		return err
	})
	return faults, err
}
