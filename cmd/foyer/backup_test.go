package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"foyer/app/apptest"
	"foyer/app/apptest/scratch"
	"foyer/app/apptest/walks"
	"foyer/app/assembly"
	"foyer/app/audit"
	"foyer/app/checkout"
	"foyer/app/pg/embedded"
	"foyer/migrate"
)

const backupSecret = "0123456789abcdef0123456789abcdef"

// foyer runs the program in this process, on another database: NAME=value are additional settings.
func foyer(ctx context.Context, t *testing.T, settings []string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	environ := append([]string{
		"PATH=" + os.Getenv("PATH"), "FOYER_DATA_DIR=" + t.TempDir(), "FOYER_SECRET=" + backupSecret,
		"FOYER_SEAL_KEYS=" + killSealKeys,
	}, settings...)
	var out, say bytes.Buffer
	code = run(ctx, args, os.Getenv, environ, &out, &say)
	return code, strings.TrimSpace(out.String()), say.String()
}

func addresses(at func(role string) string) []string {
	return []string{"DATABASE_URL=" + at("foyer_app"), "DATABASE_JOB_URL=" + at("foyer_job"), "DATABASE_OWNER_URL=" + at("foyer_owner")}
}

// A backup that is made while people book is one moment: every counted seat has its booking, every booking its
// transitions. The restore itself runs the data checks.
func TestBackupWhilePeopleBook(t *testing.T) {
	t.Parallel()
	w := apptest.Open(t)
	s := w.Sales(t)
	free := int64(0)
	class := s.AddOffering(t, func(o *apptest.OfferingRow) { o.Price, o.Capacity, o.Online = &free, 2000, 2000 })
	date := s.AddOccurrence(t, class, w.Clock.Now().Add(48*time.Hour))
	const atOnce = 4
	var booked atomic.Int64
	var booking sync.WaitGroup
	over := make(chan struct{})
	for range atOnce {
		booking.Go(func() {
			for {
				select {
				case <-over:
					return
				default:
				}
				sc, cart := s.Customer(t, "ada"), s.Fill(t, date)
				_, err := s.Checkout.Hold(t.Context(), sc, cart, checkout.HoldInput{})
				if err == nil {
					_, err = s.Checkout.Confirm(t.Context(), sc, cart)
				}
				if err != nil {
					t.Error(err)
					return
				}
				booked.Add(1)
			}
		})
	}
	settings := append(addresses(w.URL), "DATABASE_BACKUP_URL="+w.URL("postgres"))
	folder := t.TempDir()
	var files []string
	during := 0
	for range walks.Steps(2, 20) {
		from := booked.Load()
		code, path, said := foyer(t.Context(), t, settings, "backup", filepath.Join(folder, string(rune('a'+len(files)))))
		if code != 0 {
			t.Fatalf("exit code %d: %s", code, said)
		}
		if booked.Load() > from {
			during++
		}
		files = append(files, path)
	}
	close(over)
	booking.Wait()
	if during == 0 {
		t.Fatal("nobody booked while a backup was made")
	}
	for _, path := range files {
		d := apptest.EmptyDatabase(t)
		code, out, said := foyer(t.Context(), t, addresses(d.URL), "restore", path)
		if code != 0 || !strings.Contains(out, "are in order") {
			t.Errorf("exit code %d: %s%s", code, out, said)
		}
	}
}

// ownCluster is a Postgres of this test alone: roles belong to all databases of one.
func ownCluster(t *testing.T) *embedded.Server {
	t.Helper()
	dir, err := os.MkdirTemp(scratch.Dir(), "foyer-cluster")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil { // the server runs as another user
		t.Fatal(err)
	}
	s, err := embedded.Start(t.Context(), embedded.Options{DataDir: filepath.Join(dir, "pg"), Fast: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Stop(context.WithoutCancel(t.Context())) })
	return s
}

// The role that "foyer migrate roles --backup" prints sees every row and changes none. The catalog's audit lets it be.
func TestBackupRole(t *testing.T) {
	t.Parallel()
	s := ownCluster(t)
	super := func(database string) string { return s.URL("postgres", database) }
	for _, database := range []string{"foyer", "second"} {
		if err := migrate.Bootstrap(t.Context(), super, database); err != nil {
			t.Fatal(err)
		}
	}
	first := addresses(func(role string) string { return s.URL(role, "foyer") })
	code, roles, said := foyer(t.Context(), t, nil, "migrate", "roles", "--backup")
	if code != 0 {
		t.Fatal(said)
	}
	conn, err := pgx.Connect(t.Context(), super("foyer"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	for range 2 { // it may run again
		if _, err := conn.Exec(t.Context(), roles); err != nil {
			t.Fatal(err)
		}
	}
	if code, _, said := foyer(t.Context(), t, first, "migrate"); code != 0 {
		t.Fatal(said)
	}
	if code, _, said := foyer(t.Context(), t, first, "invite", "--email", "ada@example.com"); code != 0 {
		t.Fatal(said)
	}
	if faults, err := migrate.Audit(t.Context(), s.URL("foyer_owner", "foyer"), assembly.Audited()...); err != nil || len(faults) > 0 {
		t.Errorf("the audit says %q, %v", faults, err)
	}

	reader, err := pgx.Connect(t.Context(), s.URL("foyer_backup", "foyer"))
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close(t.Context())
	for _, sql := range []string{"delete from invites", "set default_transaction_read_only = off; insert into slugs (slug) values ('x')", "create table x (y int)"} {
		if _, err := reader.Exec(t.Context(), sql); err == nil {
			t.Errorf("foyer_backup may %s", sql)
		}
	}
	if code, _, said := foyer(t.Context(), t, append(first, "DATABASE_URL="+s.URL("foyer_backup", "foyer")), "serve"); code == 0 || !strings.Contains(said, "could bypass") {
		t.Errorf("it serves: %d, %s", code, said)
	}

	code, path, said := foyer(t.Context(), t, append(first, "DATABASE_BACKUP_URL="+s.URL("foyer_backup", "foyer")), "backup", t.TempDir())
	if code != 0 {
		t.Fatal(said)
	}
	second := addresses(func(role string) string { return s.URL(role, "second") })
	if code, out, said := foyer(t.Context(), t, second, "restore", path); code != 0 {
		t.Errorf("exit code %d: %s%s", code, out, said)
	}
	restored, err := pgx.Connect(t.Context(), super("second"))
	if err != nil {
		t.Fatal(err)
	}
	defer restored.Close(t.Context())
	var email string
	if err := restored.QueryRow(t.Context(), "select email from invites").Scan(&email); err != nil || email != "ada@example.com" {
		t.Errorf("the invite is of %q, %v", email, err)
	}
}

// After Ctrl-C there is no backup, and the exit code is an error: cron must see a failure.
func TestBackupInterrupted(t *testing.T) {
	t.Parallel()
	w := apptest.Open(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	folder := t.TempDir()
	code, out, said := foyer(ctx, t, append(addresses(w.URL), "DATABASE_BACKUP_URL="+w.URL("postgres")), "backup", folder)
	if code != 1 || out != "" || !strings.Contains(said, "interrupted: no backup was made") {
		t.Errorf("exit code %d: %s%s", code, out, said)
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
		t.Errorf("left over: %v, %v", left, err)
	}
}

// Defects at the time of the backup are restored as they were and reported: a counter changed by hand, a dropped
// guard, a missing policy, an event that differs from its seal.
func TestRestoreTellsWhatIsWrong(t *testing.T) {
	t.Parallel()
	w := apptest.Open(t)
	s := w.Sales(t)
	date := s.AddOccurrence(t, s.AddOffering(t), w.Clock.Now().Add(48*time.Hour))
	w.Clock.Advance(time.Hour)
	if err := audit.New(w.DB).Seal(t.Context()); err != nil {
		t.Fatal(err)
	}
	w.SQL(t, "update audit_events set actor_name = 'nobody' where seq = (select min(seq) from audit_events)")
	w.SQL(t, "update occurrences set taken = 5 where id = $1", date.ID)
	w.SQL(t, "drop index payments_one_open")
	w.SQL(t, "alter policy tenant on carts using (true)")
	code, path, said := foyer(t.Context(), t, append(addresses(w.URL), "DATABASE_BACKUP_URL="+w.URL("postgres")), "backup", t.TempDir())
	if code != 0 {
		t.Fatal(said)
	}
	code, out, said := foyer(t.Context(), t, addresses(apptest.EmptyDatabase(t).URL), "restore", path)
	for _, want := range []string{
		"seats: occurrences " + date.ID.String() + ": expected 0 taken, 0 of them online, found 5 taken", "audit_seals: audit_seals ",
		"payments_one_open is gone", "names the three roles: not carts", "the backup is restored, but has 4 problems",
	} {
		if !strings.Contains(said, want) {
			t.Errorf("there is no %q in %s", want, said)
		}
	}
	if code != 1 || out != "" {
		t.Errorf("exit code %d: %s", code, out)
	}
}
