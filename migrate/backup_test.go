package migrate_test

import (
	"os"
	"testing"

	"foyer/app/apptest"
	"foyer/app/assembly"
	"foyer/app/backup"
	"foyer/migrate"
)

// TestBackupOfAnOldVersion: a backup of a database of version 4 becomes today's after its restore, and keeps its rows.
func TestBackupOfAnOldVersion(t *testing.T) {
	t.Parallel()
	old, d := apptest.EmptyDatabase(t), apptest.EmptyDatabase(t)
	if err := migrate.UpTo(t.Context(), old.URL("foyer_owner"), 4); err != nil {
		t.Fatal(err)
	}
	if _, err := open(t, old.URL("postgres")).ExecContext(t.Context(), oldRows); err != nil {
		t.Fatal(err)
	}
	p := backup.Programs{Environ: os.Environ(), Say: func(string) {}}
	path, m, err := backup.Write(t.Context(), p, backup.Source{URL: old.URL("postgres"), Clock: apptest.Open(t).Clock}, t.TempDir())
	if err != nil || m.Migration != 4 {
		t.Fatalf("of migration %d, %v", m.Migration, err)
	}
	f, err := backup.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := f.Restore(t.Context(), p, backup.Target{URL: d.URL("foyer_owner"), Media: t.TempDir()}); err != nil {
		t.Fatal(err)
	}
	if r, err := migrate.Up(t.Context(), d.URL("foyer_owner"), nil); err != nil || r.Applied == 0 {
		t.Errorf("%+v, %v", r, err)
	}
	if faults, err := migrate.Audit(t.Context(), d.URL("foyer_owner"), assembly.Audited()...); err != nil || len(faults) > 0 {
		t.Errorf("the audit says %q, %v", faults, err)
	}
	if sum := apptest.Sums(t, d)["public.orders"]; sum[:7] != "2 rows," {
		t.Errorf("orders: %s", sum)
	}
}
