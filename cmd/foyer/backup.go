package main

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"foyer/app/backup"
	"foyer/app/clock"
	"foyer/app/pg/embedded"
)

type backupCommand struct {
	Folder string `arg:"" optional:"" default:"." help:"Folder for the file; its name has the date and the time in UTC."`
}

// Run writes a backup and prints its path. The exit code is 0 only when the whole file is there.
func (b backupCommand) Run(p *program) error { return p.unless(b.run(p), "no backup was made") }

func (b backupCommand) run(p *program) (err error) {
	began := clock.System{}.Now()
	c, err := readConfig(p.getenv, p.environ)
	if err != nil {
		return err
	}
	address, stop, err := backupAddress(p, c)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stop(context.WithoutCancel(p.ctx))) }()
	secret, err := c.knownSecret()
	if err != nil {
		return fmt.Errorf("the secret of this database is missing: %w", err)
	}
	path, m, err := backup.Write(p.ctx, p.programs(), backup.Source{
		URL: address, Media: c.mediaDir(), Fingerprint: secretFingerprint(secret), Build: build, Clock: clock.System{},
	}, b.Folder)
	if err != nil {
		return err
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	p.say(fmt.Sprintf("%d rows, %d photos, %.1f MB in %s. It does not contain the secret or the seal keys: "+
		"store FOYER_SECRET and FOYER_SEAL_KEYS, or the files secret and seal-keys of the data directory, separately.",
		m.Total(), m.MediaFiles, float64(info.Size())/1e6, clock.System{}.Now().Sub(began).Round(100*time.Millisecond)))
	_, err = fmt.Fprintln(p.stdout, path)
	return err
}

// backupAddress returns the address of the database for a role that sees every row: the configured one, or the
// superuser of the embedded server, which it starts if it is not running.
func backupAddress(p *program, c Config) (address string, stop func(context.Context) error, err error) {
	switch {
	case c.DatabaseBackupURL != "":
		return c.DatabaseBackupURL, func(context.Context) error { return nil }, nil
	case c.DatabaseURL != "":
		return "", nil, errors.New("DATABASE_BACKUP_URL is not set: a backup needs a role that sees every row; \"foyer migrate roles --backup\" prints the SQL to create it")
	}
	if _, err := os.Stat(filepath.Join(c.postgresDir(), "PG_VERSION")); err != nil {
		return "", nil, fmt.Errorf("there is no database in %s: set FOYER_DATA_DIR, or DATABASE_BACKUP_URL (%w)", c.DataDir, err)
	}
	d, err := openDatabase(p.ctx, c, p, p.say)
	return d.super, d.stop, err
}

// programs is how Postgres's client programs are found and run.
func (p *program) programs() backup.Programs {
	return backup.Programs{Environ: p.environ, Find: embedded.Options{Getenv: p.getenv}, Say: p.say}
}

// unless returns err, or, if the program was told to end, an error with that alone. A server that is told to end has
// succeeded; an interrupted command has failed.
func (p *program) unless(err error, so string) error {
	if err != nil && p.ctx.Err() != nil {
		return errors.New("interrupted: " + so)
	}
	return err
}

// secretFingerprint identifies a secret without revealing it.
func secretFingerprint(secret []byte) string {
	return hex.EncodeToString(derive(secret, "fingerprint")[:8])
}
