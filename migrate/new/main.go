// Command new writes the next file of migrate/sql: what the migrations lack of package schema. "make migration NAME=…" runs it.
// It needs Postgres binaries and nothing else: a server of its own, two fresh databases in it.
package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"foyer/app/pg/embedded"
	"foyer/migrate"
	"foyer/migrate/plan"
)

const folder = "migrate/sql"

func main() {
	if err := run(context.Background(), os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "migration:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	if len(args) != 1 || !regexp.MustCompile(`^[a-z][a-z0-9_]*$`).MatchString(args[0]) {
		return errors.New("say what it does: make migration NAME=lower_case_words")
	}
	statements, err := missing(ctx)
	if err != nil {
		return err
	}
	if len(statements) == 0 {
		fmt.Fprintln(os.Stderr, "nothing to do: the migrations make every table that package schema describes")
		return nil
	}
	next, err := migrate.Next()
	if err != nil {
		return err
	}
	path := filepath.Join(folder, fmt.Sprintf("%05d_%s.sql", next, args[0]))
	if err := os.WriteFile(path, []byte(file(statements)), 0o644); err != nil {
		return err
	}
	fmt.Fprintln(os.Stderr, "wrote", path)
	return migrate.WriteSum(folder)
}

// file is the text of a migration, with a free line before each table.
func file(statements []string) string {
	var b strings.Builder
	b.WriteString("-- +goose Up\n")
	for i, s := range statements {
		if i > 0 && strings.HasPrefix(s, "CREATE TABLE") {
			b.WriteString("\n")
		}
		b.WriteString(s + ";\n")
	}
	return b.String()
}

// missing compares package schema with a database that every migration so far has made.
func missing(ctx context.Context) ([]string, error) {
	s, err := embedded.Start(ctx, embedded.Options{DataDir: filepath.Join(os.TempDir(), fmt.Sprintf("foyer-migration-%d", os.Getuid()), "pg"), Fast: true})
	if err != nil {
		return nil, err
	}
	defer func() { _ = s.Stop(ctx) }() // its databases are made anew next time
	super := func(database string) string { return s.URL("postgres", database) }
	if err := fresh(ctx, super("postgres"), "migrated", "empty"); err != nil {
		return nil, err
	}
	if err := migrate.Bootstrap(ctx, super, "migrated"); err != nil {
		return nil, err
	}
	if _, err := migrate.Up(ctx, s.URL("foyer_owner", "migrated"), nil); err != nil {
		return nil, err
	}
	migrated, err := sql.Open("pgx", super("migrated"))
	if err != nil {
		return nil, err
	}
	defer migrated.Close()
	empty, err := sql.Open("pgx", super("empty"))
	if err != nil {
		return nil, err
	}
	defer empty.Close()
	return plan.Missing(ctx, migrated, empty)
}

// fresh makes the databases anew.
func fresh(ctx context.Context, address string, names ...string) error {
	db, err := sql.Open("pgx", address)
	if err != nil {
		return err
	}
	defer db.Close()
	for _, name := range names {
		for _, statement := range []string{"drop database if exists " + name + " with (force)", "create database " + name + " encoding 'UTF8' template template0"} {
			if _, err := db.ExecContext(ctx, statement); err != nil {
				return err
			}
		}
	}
	return nil
}
