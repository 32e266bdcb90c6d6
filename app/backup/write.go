package backup

import (
	"archive/zip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/jackc/pgx/v5"

	"foyer/app/clock"
	"foyer/app/pg/embedded"
	"foyer/migrate"
)

// Source is the database and the photos to back up.
type Source struct {
	URL         string // of the database, as a role that row-level security does not bind
	Media       string // the folder of the photos; it need not be there
	Fingerprint string // of the secret
	Build       string
	Clock       clock.Clock
}

// ErrBound is returned for a role that would leave rows out.
var ErrBound = errors.New("row-level security binds the role that was to make the backup, so that it would see no rows: " +
	"use foyer_backup, which \"foyer migrate roles --backup\" prints, or a superuser")

// extension is the one that the schema needs. Others belong to the operator of the server.
const extension = "btree_gist"

// Write writes a backup to the folder, creating it if necessary, and returns its path. It reads one snapshot and does
// not block bookings. An interrupted backup leaves no file.
func Write(ctx context.Context, p Programs, s Source, folder string) (path string, m Manifest, err error) {
	conn, err := pgx.Connect(ctx, s.URL)
	if err != nil {
		return "", m, err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	m = Manifest{Format: format, MadeAt: s.Clock.Now().Truncate(time.Second), Foyer: s.Build, Fingerprint: s.Fingerprint}
	snapshot, err := m.look(ctx, conn, p.Say)
	if err != nil {
		return "", m, err
	}
	c, err := p.client(ctx, m.ServerMajor)
	if err != nil {
		return "", m, fmt.Errorf("to back up a server of PostgreSQL %s: %w", m.Server, err)
	}
	m.DumpMajor = c.Major
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return "", m, err
	}
	path, err = filepath.Abs(filepath.Join(folder, "foyer-"+m.MadeAt.Format("2006-01-02-150405")+".zip"))
	if err != nil {
		return "", m, err
	}
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		return "", m, errors.Join(fmt.Errorf("%s already exists", path), err)
	}
	f, err := os.OpenFile(path+".part", os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return "", m, err
	}
	defer os.Remove(f.Name()) // when it was not renamed
	err = m.fill(ctx, f, p, s, func(w io.Writer) error { return dump(ctx, p, c, s.URL, snapshot, w) })
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return "", m, err
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return "", m, err
	}
	return path, m, syncFolder(folder)
}

// look begins the transaction of the snapshot, and counts its rows.
func (m *Manifest) look(ctx context.Context, conn *pgx.Conn, say func(string)) (snapshot string, err error) {
	var bypass bool
	err = conn.QueryRow(ctx, `select rolsuper or rolbypassrls, split_part(current_setting('server_version'), ' ', 1), current_setting('server_version_num')::int / 10000
		from pg_roles where rolname = current_user`).Scan(&bypass, &m.Server, &m.ServerMajor)
	if err != nil {
		return "", err
	}
	if !bypass {
		return "", ErrBound
	}
	if _, err := conn.Exec(ctx, `set statement_timeout = 0; set idle_in_transaction_session_timeout = 0;
		begin isolation level repeatable read read only`); err != nil {
		return "", err
	}
	if err := conn.QueryRow(ctx, "select pg_export_snapshot()").Scan(&snapshot); err != nil {
		return "", err
	}
	if err := conn.QueryRow(ctx, migrate.AppliedSQL).Scan(&m.Migration); err != nil {
		return "", fmt.Errorf("this is no database of Foyer: %w", err)
	}
	rows, err := conn.Query(ctx, tablesSQL)
	if err != nil {
		return "", err
	}
	tables, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return "", err
	}
	say("Counting the rows of " + fmt.Sprint(len(tables)) + " tables")
	m.Rows = map[string]int64{}
	for _, t := range tables {
		var n int64
		if err := conn.QueryRow(ctx, "select count(*) from only "+t).Scan(&n); err != nil {
			return "", fmt.Errorf("counting %s: %w", t, err)
		}
		m.Rows[t] = n
	}
	return snapshot, nil
}

// tablesSQL lists the product's tables with lasting rows: those of unlogged ones (windows of rate limits, the queue's
// leader) end with the process that wrote them.
const tablesSQL = `select format('%I.%I', n.nspname, c.relname) from pg_class c join pg_namespace n on n.oid = c.relnamespace
	where c.relkind = 'r' and c.relpersistence = 'p' and n.nspname in ('public', 'app', 'river')
	and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
	order by 1`

// fill writes the file: the dump first, with a snapshot older than any photo read after it, and the manifest last.
func (m *Manifest) fill(ctx context.Context, f io.Writer, p Programs, s Source, dump func(io.Writer) error) error {
	z := zip.NewWriter(f)
	entry := func(name string) (io.Writer, error) { // the dump and photos are compressed already
		return z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store, Modified: m.MadeAt})
	}
	w, err := entry(dumpName)
	if err != nil {
		return err
	}
	p.Say(fmt.Sprintf("Dumping %d rows of PostgreSQL %s", m.Total(), m.Server))
	if err := dump(w); err != nil {
		return err
	}
	if m.MediaFiles, err = copyMedia(ctx, s.Media, entry, p.Say); err != nil {
		return err
	}
	if w, err = entry(manifestName); err != nil {
		return err
	}
	body, err := json.MarshalIndent(m, "", "\t")
	if err != nil {
		return err
	}
	if _, err = w.Write(append(body, '\n')); err != nil {
		return err
	}
	return z.Close()
}

// dump runs pg_dump, which itself turns row-level security off: a role that it binds is refused.
func dump(ctx context.Context, p Programs, c embedded.Client, address, snapshot string, w io.Writer) error {
	cmd, said, err := p.command(ctx, c, "pg_dump", address, "--format=custom", "--snapshot="+snapshot, "--extension="+extension,
		"--no-comments", "--no-unlogged-table-data", "--lock-wait-timeout=60s")
	if err != nil {
		return err
	}
	to := &written{to: w}
	cmd.Stdout = to
	if err := cmd.Run(); err != nil {
		return errors.Join(to.err, failed("pg_dump", err, said))
	}
	return nil
}

// written remembers why it could not write, a full disk mostly: the program that wrote hears of a broken pipe only.
type written struct {
	to  io.Writer
	err error
}

func (w *written) Write(p []byte) (n int, err error) {
	n, err = w.to.Write(p)
	w.err = errors.Join(w.err, err)
	return n, err
}

// syncFolder makes a new name in it outlive a power cut.
func syncFolder(path string) error {
	d, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
