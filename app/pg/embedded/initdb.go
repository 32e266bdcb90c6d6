package embedded

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// initdb makes the data directory: beside its place and then renamed, so that an interrupted run leaves nothing that
// looks like data. Text sorts by code point, the same on every system and version, so a library update cannot spoil an
// index; upper and lower case know all of Unicode.
func initdb(ctx context.Context, c config, bin binaries, acc account) error {
	c.progress("Making a PostgreSQL data directory in " + c.DataDir)
	unfinished := c.DataDir + ".new"
	if err := os.RemoveAll(unfinished); err != nil {
		return err
	}
	if err := os.Mkdir(unfinished, 0o700); err != nil {
		return err
	}
	defer os.RemoveAll(unfinished)
	if acc.drop {
		if err := os.Lchown(unfinished, acc.uid, acc.gid); err != nil {
			return err
		}
	}
	args := []string{
		"-D", unfinished, "-U", superuser, "--auth-local=trust", "--auth-host=reject",
		"--encoding=UTF8", "--locale=C", "--lc-ctype=" + unicodeLocale,
	}
	if c.Fast {
		args = append(args, "--no-sync")
	} else {
		args = append(args, "--data-checksums") // the default from version 18 on
	}
	if err := runInitdb(ctx, bin, acc, args); err != nil {
		return acc.explain(err, unfinished, bin.dir)
	}
	err := os.Rename(unfinished, c.DataDir)
	if errors.Is(err, syscall.EBUSY) {
		return fmt.Errorf("%s is a mount point: choose a directory below it", c.DataDir)
	}
	return err
}

func runInitdb(ctx context.Context, bin binaries, acc account, args []string) error {
	p, err := run(acc, io.Discard, filepath.Join(bin.dir, "initdb"), args...)
	if err != nil {
		return err
	}
	if err := p.wait(ctx); err != nil {
		if strings.Contains(p.tail.String(), "effective user ID") {
			return fmt.Errorf("initdb needs the account %s to have an entry in /etc/passwd: %w", acc.name, err)
		}
		return fmt.Errorf("initdb: %w\n%s", err, p.tail)
	}
	return nil
}
