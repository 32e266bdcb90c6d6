package embedded_test

import (
	"path/filepath"
	"testing"

	"foyer/app/pg/embedded"
)

// fakeClient makes a directory of client programs that report the given version.
func fakeClient(t *testing.T, version string) string {
	t.Helper()
	dir := workDir(t)
	for _, name := range []string{"pg_dump", "pg_restore", "psql"} {
		script(t, filepath.Join(dir, name), "echo '"+name+" (PostgreSQL) "+version+"'")
	}
	return dir
}

// The oldest suitable client is chosen: most servers can read its dumps.
func TestFindClient(t *testing.T) {
	old, fits, newest, broken := fakeClient(t, "16.4 (Debian 16.4-1)"), fakeClient(t, "90.1"), fakeClient(t, "91beta2"), workDir(t)
	script(t, filepath.Join(broken, "pg_dump"), "echo 'pg_dump (PostgreSQL) 90.0'")
	t.Setenv("PATH", newest+":/usr/bin:/bin")
	find := func(bin string, least int) (embedded.Client, error) {
		return embedded.FindClient(t.Context(), embedded.Options{Getenv: settings(map[string]string{"FOYER_PG_BIN": bin})}, least)
	}
	for _, c := range []struct {
		bin   string
		least int
		want  embedded.Client
	}{
		{fits, 90, embedded.Client{Dir: fits, Version: "90.1", Major: 90}},
		{fits, 91, embedded.Client{Dir: newest, Version: "91", Major: 91}},
		{old, 90, embedded.Client{Dir: newest, Version: "91", Major: 91}},
		{broken, 90, embedded.Client{Dir: newest, Version: "91", Major: 91}}, // pg_dump alone restores nothing
		{"npm", 90, embedded.Client{Dir: newest, Version: "91", Major: 91}},
	} {
		if got, err := find(c.bin, c.least); err != nil || got != c.want {
			t.Errorf("%d or newer, with %s: %+v, %v", c.least, c.bin, got, err)
		}
	}
	_, err := find(old, 92)
	if err == nil {
		t.Fatal("a client of version 92 was found")
	}
	contains(t, err.Error(), "pg_dump, pg_restore and psql of version 92 or newer", "16.4 in "+old, "91 in "+newest, "Install", "92", "FOYER_PG_BIN")
}
