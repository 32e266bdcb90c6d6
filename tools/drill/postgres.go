package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"github.com/jackc/pgx/v5"

	"foyer/app/pg/embedded"
)

// postgres is a server with its data directory.
type postgres struct {
	data   string
	server *embedded.Server
}

// startPostgres starts one as the product starts its own: durable, with the settings that it comes with.
func startPostgres(ctx context.Context, data string) (*postgres, error) {
	s, err := embedded.Start(ctx, embedded.Options{DataDir: data})
	if err != nil {
		return nil, err
	}
	return &postgres{data, s}, nil
}

// url is the address of a database for a role.
func (p *postgres) url(role, database string) string { return p.server.URL(role, database) }

// connect connects as the superuser: to look, and to be in the way.
func (p *postgres) connect(ctx context.Context, database string) (*pgx.Conn, error) {
	return pgx.Connect(ctx, p.url("postgres", database))
}

// create makes an empty database and runs the SQL that "foyer migrate roles" prints.
func (p *postgres) create(ctx context.Context, database, roles string) error {
	admin, err := p.connect(ctx, "postgres")
	if err != nil {
		return err
	}
	defer admin.Close(ctx)
	if _, err := admin.Exec(ctx, "create database "+pgx.Identifier{database}.Sanitize()+" template template0"); err != nil {
		return err
	}
	inside, err := p.connect(ctx, database)
	if err != nil {
		return err
	}
	defer inside.Close(ctx)
	_, err = inside.Exec(ctx, roles)
	return err
}

// postmaster is the process of a data directory's server; 0 when there is none.
func postmaster(data string) int {
	text, err := os.ReadFile(filepath.Join(data, "postmaster.pid"))
	if err != nil {
		return 0
	}
	first, _, _ := strings.Cut(string(text), "\n")
	pid, _ := strconv.Atoi(first)
	return pid
}

// signalAll sends a signal to a data directory's server and all processes that it has made.
func signalAll(data string, sig syscall.Signal) error {
	parent := postmaster(data)
	if parent == 0 {
		return fmt.Errorf("there is no server in %s", data)
	}
	family := []int{parent}
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		return err
	}
	for _, file := range stats {
		text, err := os.ReadFile(file)
		if err != nil {
			continue // it has ended
		}
		_, rest, _ := strings.Cut(string(text), ") ") // after the name: state, parent
		if fields := strings.Fields(rest); len(fields) > 1 && fields[1] == strconv.Itoa(parent) {
			pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(file)))
			family = append(family, pid)
		}
	}
	for _, pid := range family {
		_ = syscall.Kill(pid, sig) // one that has just ended needs none
	}
	return nil
}
