package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// place is where the drills happen. What most of them share, a Postgres with a town in it, is made when the first asks for it.
type place struct {
	foyer, old string // programs; old is the one before the newest migration
	operations string // docs/operations.md, which has the balancer's configuration
	dir        string
	size       size
	say        func(format string, args ...any)

	post     *post
	postgres *postgres
	base     *site
	town     *town
}

// site is one database with what is needed to run the product on it.
type site struct {
	*place
	env []string
	url func(role string) string // nil when the program has a Postgres of its own
}

// sharedStudios is how many of the shared town's studios are booked at; the others are only looked at.
const sharedStudios = 4

// open makes its folder, and receives mail from then on.
func (p *place) open() (err error) {
	if p.dir, err = os.MkdirTemp("", "foyer-drill-"); err != nil {
		return err
	}
	if err := os.Chmod(p.dir, 0o755); err != nil { //nolint:gosec // Postgres runs as another account, which must get through
		return err
	}
	p.post, err = openPost()
	return err
}

func (p *place) close(ctx context.Context) error {
	p.post.close()
	var err error
	if p.postgres != nil {
		err = p.postgres.server.Stop(ctx)
	}
	return errors.Join(err, os.RemoveAll(p.dir))
}

// settings are those of every program here: limits that one machine would reach at once are lifted, all else is as it comes.
func (p *place) settings() []string {
	env := []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + p.dir, "TMPDIR=" + os.TempDir(), "FOYER_ADDR=127.0.0.1:0", "SMTP_URL=" + p.post.url(),
		"FOYER_SECRET=a secret of a drill, and of nothing else", "FOYER_SEAL_KEYS=" + strings.Repeat("d0", 32),
	}
	for _, limit := range []string{
		"STOREFRONT_RATE_LIMIT_MAX", "STOREFRONT_WRITE_RATE_LIMIT_MAX", "CHALLENGES_PER_ADDRESS_MAX", "CHALLENGES_PER_VISITOR_MAX",
	} {
		env = append(env, limit+"=1000000000")
	}
	return env
}

// on is the site of a database of the shared Postgres.
func (p *place) on(database string) *site {
	url := func(role string) string { return p.postgres.url(role, database) }
	return &site{place: p, url: url, env: append(p.settings(), "DATABASE_URL="+url("foyer_app"), "DATABASE_JOB_URL="+url("foyer_job"),
		"DATABASE_OWNER_URL="+url("foyer_owner"))}
}

// apart is a site whose program has a Postgres of its own below a folder.
func (p *place) apart(dir string, more ...string) *site {
	return &site{place: p, env: append(append(p.settings(), "FOYER_DATA_DIR="+dir), more...)}
}

// with is the same site with further settings, which overrule.
func (s *site) with(more ...string) *site {
	t := *s
	t.env = append(append([]string{}, s.env...), more...)
	return &t
}

// command is a program of this site.
func (s *site) command(binary, name string, args ...string) command {
	return command{binary: binary, args: args, env: s.env, log: filepath.Join(s.dir, name+".log")}
}

// serve starts the product, with a worker.
func (s *site) serve(ctx context.Context, name string) (*program, error) {
	return s.command(s.foyer, name, "serve", "--with-worker").start(ctx)
}

// run runs a program of this site to its end and returns what it printed.
func (s *site) run(ctx context.Context, binary string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, binary, args...) //nolint:gosec // ourselves
	cmd.Env = s.env
	var wrong strings.Builder
	cmd.Stderr = &wrong
	out, err := cmd.Output()
	if err != nil {
		err = fmt.Errorf("%s %s: %w: %s", filepath.Base(binary), strings.Join(args, " "), err, wrong.String())
	}
	return string(out), err
}

// founder opens towns at a running program.
func (s *site) founder(at *wire) founder {
	return founder{at: at, post: s.post, invite: s.inviting(s.foyer)}
}

// inviting invites with a program's own command, as operators do.
func (s *site) inviting(binary string) func(ctx context.Context, email string) (token string, err error) {
	return func(ctx context.Context, email string) (string, error) {
		out, err := s.run(ctx, binary, "invite", "--email", email)
		if err != nil {
			return "", err
		}
		return strings.TrimSpace(out[strings.LastIndexByte(out, '/')+1:]), nil
	}
}

// database makes a database on the shared Postgres that a program has migrated.
func (p *place) database(ctx context.Context, name, migratedBy string) (*site, error) {
	if p.postgres == nil {
		pg, err := startPostgres(ctx, filepath.Join(p.dir, "pg"))
		if err != nil {
			return nil, err
		}
		p.postgres = pg
	}
	s := p.on(name)
	roles, err := s.run(ctx, migratedBy, "migrate", "roles", "--database", name)
	if err != nil {
		return nil, err
	}
	if err := p.postgres.create(ctx, name, roles); err != nil {
		return nil, err
	}
	_, err = s.run(ctx, migratedBy, "migrate")
	return s, err
}

// inTown is a drill with a server of the large town, which is started for it and ended after it.
func inTown(name string, run func(ctx context.Context, p *place, at *wire, server *program, t *town) ([]figure, error)) func(context.Context, *place) ([]figure, error) {
	return func(ctx context.Context, p *place) (list []figure, err error) {
		s, t, err := p.shared(ctx)
		if err != nil {
			return nil, err
		}
		server, err := s.serve(ctx, name)
		if err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, ended(server)) }()
		at := newWire(server.address)
		defer at.close()
		return run(ctx, p, at, server, t)
	}
}

// shared is the site of the large town.
func (p *place) shared(ctx context.Context) (*site, *town, error) {
	if p.town != nil {
		return p.base, p.town, nil
	}
	began := time.Now() // real time: somebody waits
	s, err := p.database(ctx, "town", p.foyer)
	if err != nil {
		return nil, nil, err
	}
	server, err := s.serve(ctx, "founding")
	if err != nil {
		return nil, nil, err
	}
	t, err := s.founder(newWire(server.address)).found(ctx, p.size)
	_, endErr := server.end()
	if err = errors.Join(err, endErr); err != nil {
		return nil, nil, err
	}
	p.say("%d studios with %d classes each, and %d customers, opened in %s", p.size.studios, p.size.listings, p.size.customers, short(time.Since(began)))
	p.base, p.town = s, t
	return s, t, p.analyze(ctx)
}

// analyze is what autovacuum does a minute after so many rows came.
func (p *place) analyze(ctx context.Context) error {
	super, err := p.postgres.connect(ctx, "town")
	if err != nil {
		return err
	}
	defer super.Close(ctx)
	_, err = super.Exec(ctx, "vacuum analyze")
	return err
}
