package backup

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/jackc/pgx/v5"

	"foyer/app/pg/embedded"
)

// Target is the destination of a restore.
type Target struct {
	URL     string // of the database, as foyer_owner
	Media   string // the folder of the photos
	Replace bool   // drop the present content
}

// Errors that prevent a restore, before anything is changed.
var (
	ErrNotEmpty = errors.New("the database already contains tables: restore into an empty one, or drop them with --replace")
	ErrInUse    = errors.New("the database is in use: stop every \"foyer serve\" and \"foyer work\" first")
	ErrNoRoles  = errors.New("the database is not prepared: an administrator must run the output of \"foyer migrate roles\" in it once")
)

// Restore restores the backup into the database, all of it or nothing: the schema, every row, and the comparison of
// the row counts with the manifest are one transaction. The photos are put in place after it. Bring the schema up to
// date afterwards (migrate.Up).
func (f *File) Restore(ctx context.Context, p Programs, t Target) error {
	c, err := f.fits(ctx, p, t)
	if err != nil {
		return err
	}
	done, undone, err := f.unpackMedia(t.Media, t.Replace)
	if err != nil {
		return err
	}
	p.Say(fmt.Sprintf("Restoring %d rows of %d tables", f.Total(), len(f.Rows)))
	if err := f.run(ctx, p, c, t); err != nil {
		undone()
		return fmt.Errorf("%w; the database is as it was", err)
	}
	return done()
}

// fits checks that the database can be restored into, and finds the programs for it.
func (f *File) fits(ctx context.Context, p Programs, t Target) (embedded.Client, error) {
	conn, err := pgx.Connect(ctx, t.URL)
	if err != nil {
		return embedded.Client{}, err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	var now struct {
		Major              int
		Ready, Full, InUse bool
	}
	err = conn.QueryRow(ctx, `select current_setting('server_version_num')::int / 10000,
		(select count(*) from pg_roles where rolname in ('foyer_owner', 'foyer_app', 'foyer_job', 'foyer_lookup')) = 4
			and (select nspowner = current_user::regrole from pg_namespace where nspname = 'public')
			and has_database_privilege(current_database(), 'create'),
		exists (`+ownSQL+`) or exists (select from pg_namespace where nspname in ('app', 'river')),
		exists (select from pg_stat_activity where datname = current_database() and usename in ('foyer_app', 'foyer_job'))`).
		Scan(&now.Major, &now.Ready, &now.Full, &now.InUse)
	switch {
	case err != nil:
		return embedded.Client{}, err
	case !now.Ready:
		return embedded.Client{}, ErrNoRoles
	case now.InUse:
		return embedded.Client{}, ErrInUse
	case now.Full && !t.Replace:
		return embedded.Client{}, ErrNotEmpty
	}
	if err := f.CheckServer(now.Major); err != nil {
		return embedded.Client{}, err
	}
	// They speak SQL to the server, so that they may be older than it.
	c, err := p.client(ctx, f.DumpMajor)
	if err != nil {
		return c, fmt.Errorf("to read the backup: %w", err)
	}
	return c, nil
}

// CheckServer refuses a server that is older than the one that the backup is of.
func (f *File) CheckServer(major int) error {
	if major < f.ServerMajor {
		return fmt.Errorf("the backup is of PostgreSQL %s and this server is of version %d: use version %d or newer", f.Server, major, f.ServerMajor)
	}
	return nil
}

// ownSQL lists the tables of the product in the schema that it shares with extensions.
const ownSQL = `select c.oid from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
	and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')`

// before begins the transaction and clears the database, if its content is to be replaced.
const before = `
set lock_timeout = '10s';
set client_min_messages = warning;
begin;
drop schema if exists app, river cascade;
do $clear$ declare t regclass; begin
	for t in ` + ownSQL + ` loop
		execute format('drop table if exists %s cascade', t);
	end loop;
end $clear$;
`

// after compares the number of rows of each table with the manifest's, which is $1, and ends the transaction. The
// owner is behind the wall, too, which app.wall lifts and sets up again. The planner gets to know the tables at the
// same time: a dump brings no statistics.
const after = `
call app.wall(false);
do $compare$ declare
	t record;
	n bigint;
begin
	for t in select key::regclass as name, value::bigint as rows from jsonb_each_text($1) loop
		execute format('select count(*) from only %s', t.name) into n;
		if n <> t.rows then
			raise exception '% has % rows, the backup says %', t.name, n, t.rows;
		end if;
		execute format('analyze %s', t.name);
	end loop;
end $compare$;
call app.wall(true);
commit;
`

// run pipes pg_restore's statements through psql. Its last statement is sent when pg_restore has ended well; without it
// psql ends, and the transaction with it.
func (f *File) run(ctx context.Context, p Programs, c embedded.Client, t Target) error {
	dump, err := f.zip.Open(dumpName)
	if err != nil {
		return err
	}
	defer dump.Close()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // stops all programs on return
	script, scriptSaid, err := p.command(ctx, c, "pg_restore", "", "--file=-", "--no-comments")
	if err != nil {
		return err
	}
	script.Stdin = dump
	statements, err := script.StdoutPipe()
	if err != nil {
		return err
	}
	sql, sqlSaid, err := p.command(ctx, c, "psql", t.URL, "--no-psqlrc", "--quiet", "--output=/dev/null", "--set=ON_ERROR_STOP=1", "--file=-")
	if err != nil {
		return err
	}
	to, err := sql.StdinPipe()
	if err != nil {
		return err
	}
	if err := sql.Start(); err != nil {
		return err
	}
	if err := script.Start(); err != nil {
		cancel()
		return errors.Join(err, sql.Wait())
	}
	_, err = io.WriteString(to, before)
	if err == nil {
		err = adapt(to, statements)
	}
	if err != nil { // psql has ended: its output has the reason
		cancel()
	}
	if ended := script.Wait(); err == nil && ended != nil {
		cancel()
		_ = sql.Wait() // killed
		return failed("pg_restore", ended, scriptSaid)
	}
	if err == nil {
		_, err = io.WriteString(to, f.compare())
	}
	err = errors.Join(err, to.Close())
	if ended := sql.Wait(); ended != nil {
		return failed("psql", ended, sqlSaid)
	}
	return err
}

// compare is the SQL after the dump.
func (f *File) compare() string {
	rows, err := json.Marshal(f.Rows)
	if err != nil {
		panic(err) // names and numbers
	}
	return strings.ReplaceAll(after, "$1", "'"+strings.ReplaceAll(string(rows), "'", "''")+"'")
}

// changes are the lines of a dump's beginning that do not fit: older servers do not know the setting that newer
// programs turn off, and the functions of foyer_lookup stand in a schema where it must be allowed to own something
// before the rights on schemas come, last of all.
var changes = map[string]string{
	"SET transaction_timeout = 0;\n": "",
	"CREATE SCHEMA app;\n":           "CREATE SCHEMA app;\nGRANT CREATE ON SCHEMA app TO foyer_lookup;\n",
}

// adapt copies statements and changes those lines. From the first rows on everything is copied as it is.
func adapt(to io.Writer, from io.Reader) error {
	r := bufio.NewReaderSize(from, 64<<10)
	for {
		line, err := r.ReadString('\n')
		if instead, is := changes[line]; is {
			line = instead
		}
		if _, err := io.WriteString(to, line); err != nil {
			return err
		}
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		case strings.HasPrefix(line, "COPY "):
			_, err := r.WriteTo(to)
			return err
		}
	}
}
