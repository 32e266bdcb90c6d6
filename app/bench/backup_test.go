package bench

import (
	"context"
	"maps"
	"os"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"foyer/app/apptest"
	"foyer/app/apptest/walks"
	"foyer/app/assembly"
	"foyer/app/backup"
	"foyer/app/clock"
	"foyer/app/integrity"
	"foyer/app/pg"
	"foyer/migrate"
)

// A backup of many businesses and its restore: the same rows, and how long both take. Goal K1: a restore within 15
// minutes. The long walk is the figure of docs/operations.md.
func TestBackupOfManyBusinesses(t *testing.T) {
	w := apptest.Open(t)
	super, err := pgx.Connect(t.Context(), w.URL("postgres"))
	if err != nil {
		t.Fatal(err)
	}
	defer super.Close(t.Context())
	if err := seedGrowth(t.Context(), super, walks.Steps(20, 5000), 1000, func(string) {}); err != nil {
		t.Fatal(err)
	}
	w.SQL(t, "drop schema bench cascade") // used by seeds only
	p := backup.Programs{Environ: os.Environ(), Say: func(string) {}}
	began := time.Now()
	path, m, err := backup.Write(t.Context(), p, backup.Source{URL: w.URL("postgres"), Clock: clock.System{}}, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	made := time.Now()
	d := apptest.EmptyDatabase(t)
	f, err := backup.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := f.Restore(t.Context(), p, backup.Target{URL: d.URL("foyer_owner"), Media: t.TempDir()}); err != nil {
		t.Fatal(err)
	}
	restored := time.Now()
	if faults, err := migrate.Audit(t.Context(), d.URL("foyer_owner"), assembly.Audited()...); err != nil || len(faults) > 0 {
		t.Errorf("the audit says %q, %v", faults, err)
	}
	db, err := pg.Open(t.Context(), pg.Config{URL: d.URL("foyer_app"), Clock: clock.System{}})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	differences := 0 // of seeds, which write no history: only the time counts
	if err := db.EachBusiness(t.Context(), func(ctx context.Context, business uuid.UUID) error {
		r, err := integrity.CheckBusiness(ctx, db.View(business), assembly.Checks()...)
		differences += len(r.Differences)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	looked := time.Now()
	if looked.Sub(made) > 15*time.Minute {
		t.Errorf("the restore took %s", looked.Sub(made))
	}
	if want, got := apptest.Sums(t, w.Database), apptest.Sums(t, d); !maps.Equal(want, got) {
		t.Errorf("the rows are %v, want %v", got, want)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	size := apptest.Value[int64](t, w, "select pg_database_size(current_database())")
	t.Logf("%d rows, a database of %d MB: backup of %d MB in %s, restore in %s, all looked through in %s (%d differences)",
		m.Total(), size>>20, info.Size()>>20, made.Sub(began).Round(100*time.Millisecond), restored.Sub(made).Round(100*time.Millisecond),
		looked.Sub(restored).Round(100*time.Millisecond), differences)
}
