package backup_test

import (
	"archive/zip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"foyer/app/apptest"
	"foyer/app/assembly"
	"foyer/app/backup"
	"foyer/migrate"
)

func programs(t *testing.T) backup.Programs {
	return backup.Programs{Environ: os.Environ(), Say: func(line string) { t.Log(line) }}
}

// studio is a database with a studio and some bookings' worth of rows, and a folder with photos.
func studio(t *testing.T) (*apptest.World, backup.Source) {
	t.Helper()
	w := apptest.Open(t)
	s := w.Studio(t)
	s.AddCourse(t, 3)
	s.Join(t, "ada@example.com")
	media := filepath.Join(t.TempDir(), "media")
	write(t, filepath.Join(media, "a1", "b2.webp"), "a photo")
	write(t, filepath.Join(media, "c3.webp"), "another one")
	return w, backup.Source{URL: w.URL("postgres"), Media: media, Fingerprint: "f00d", Build: "42", Clock: w.Clock}
}

func write(t *testing.T, path, body string) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(body), 0o644)); err != nil {
		t.Fatal(err)
	}
}

func take(t *testing.T, s backup.Source) (string, backup.Manifest) {
	t.Helper()
	path, m, err := backup.Write(t.Context(), programs(t), s, filepath.Join(t.TempDir(), "new", "folder"))
	if err != nil {
		t.Fatal(err)
	}
	return path, m
}

func open(t *testing.T, path string) *backup.File {
	t.Helper()
	f, err := backup.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	return f
}

func same(t *testing.T, what string, got, want map[string]string) {
	t.Helper()
	if len(want) < 40 || len(got) != len(want) {
		t.Errorf("%s: %d tables, want %d", what, len(got), len(want))
	}
	for name, sum := range want {
		if got[name] != sum {
			t.Errorf("%s: %s: %s, want %s", what, name, got[name], sum)
		}
	}
}

// A restore brings everything back: every row of every table, the rights, the photos. The first time into an empty
// database, the second time replacing the content.
func TestBackupAndRestore(t *testing.T) {
	t.Parallel()
	w, s := studio(t)
	path, m := take(t, s)
	folder, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(folder) != 1 || filepath.Base(path) != "foyer-2026-06-10-120000.zip" {
		t.Errorf("%s beside %v, %v", path, folder, err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("others may read the backup: %v, %v", info.Mode(), err)
	}
	latest, err := migrate.Latest()
	if err != nil {
		t.Fatal(err)
	}
	if m.Migration != latest || m.Fingerprint != "f00d" || m.Foyer != "42" || m.MediaFiles != 2 || m.Rows["public.occurrences"] != 3 || m.Total() < 20 {
		t.Errorf("the manifest says %+v", m)
	}
	want := apptest.Sums(t, w.Database)
	d := apptest.EmptyDatabase(t)
	target := backup.Target{URL: d.URL("foyer_owner"), Media: filepath.Join(t.TempDir(), "data", "media")}
	f := open(t, path)
	for _, target.Replace = range []bool{false, true} {
		if err := f.Restore(t.Context(), programs(t), target); err != nil {
			t.Fatal(err)
		}
		same(t, "restored", apptest.Sums(t, d), want)
		faults, err := migrate.Audit(t.Context(), d.URL("foyer_owner"), assembly.Audited()...)
		if err != nil || len(faults) > 0 {
			t.Errorf("the audit says %q, %v", faults, err)
		}
		if body, err := os.ReadFile(filepath.Join(target.Media, "a1", "b2.webp")); err != nil || string(body) != "a photo" {
			t.Errorf("the photo is %q, %v", body, err)
		}
		if beside, err := os.ReadDir(filepath.Dir(target.Media)); err != nil || len(beside) != 1 {
			t.Errorf("left over: %v, %v", beside, err)
		}
		write(t, filepath.Join(target.Media, "later.webp"), "since")
		run(t, d, "postgres", "insert into persons (id, email, created_at, updated_at) values (gen_random_uuid(), 'new@example.com', now(), now())")
	}
	if _, err := os.Stat(filepath.Join(target.Media, "later.webp")); err != nil {
		t.Error(err)
	}
}

func run(t *testing.T, d apptest.Database, role, sql string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), d.URL(role))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	if _, err := conn.Exec(t.Context(), sql); err != nil {
		t.Fatal(err)
	}
}

// A second backup in the same second, a role that the wall binds, an address that is none: nothing is left of the try.
func TestNoBackup(t *testing.T) {
	t.Parallel()
	w, s := studio(t)
	for role, want := range map[string]error{"foyer_owner": backup.ErrBound, "foyer_app": backup.ErrBound, "foyer_job": backup.ErrBound} {
		s := s
		s.URL = w.URL(role)
		folder := t.TempDir()
		if _, _, err := backup.Write(t.Context(), programs(t), s, folder); !errors.Is(err, want) {
			t.Errorf("as %s: %v", role, err)
		}
		empty(t, folder)
	}
	path, _ := take(t, s)
	if _, _, err := backup.Write(t.Context(), programs(t), s, filepath.Dir(path)); err == nil || !strings.Contains(err.Error(), "already exists") {
		t.Errorf("a second one: %v", err)
	}
	foreign := backup.Source{URL: apptest.BareDatabase(t).URL("postgres"), Clock: w.Clock}
	folder := t.TempDir()
	if _, _, err := backup.Write(t.Context(), programs(t), foreign, folder); err == nil || !strings.Contains(err.Error(), "no database of Foyer") {
		t.Errorf("of somebody else's database: %v", err)
	}
	// pg_dump itself may fail, too.
	broken := programs(t)
	broken.Environ = append(broken.Environ, "PGOPTIONS=-c search_path=nowhere -c nonsense=1")
	if _, _, err := backup.Write(t.Context(), broken, s, folder); err == nil || !strings.Contains(err.Error(), "pg_dump") {
		t.Errorf("when pg_dump fails: %v", err)
	}
	empty(t, folder)
}

func empty(t *testing.T, folder string) {
	t.Helper()
	if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
		t.Errorf("left over: %v, %v", left, err)
	}
}

// changed is a copy of a backup with another manifest or other content.
func changed(t *testing.T, path string, manifest func(map[string]any), content func(name string, body []byte) (string, []byte)) string {
	t.Helper()
	from, err := zip.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer from.Close()
	out := filepath.Join(t.TempDir(), "changed.zip")
	f, err := os.Create(out)
	if err != nil {
		t.Fatal(err)
	}
	to := zip.NewWriter(f)
	for _, e := range from.File {
		r, err := e.Open()
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		name := e.Name
		if name == "manifest.json" && manifest != nil {
			var m map[string]any
			if err := json.Unmarshal(body, &m); err != nil {
				t.Fatal(err)
			}
			manifest(m)
			if body, err = json.Marshal(m); err != nil {
				t.Fatal(err)
			}
		}
		if content != nil {
			name, body = content(name, body)
		}
		w, err := to.CreateHeader(&zip.FileHeader{Name: name})
		if err == nil {
			_, err = w.Write(body)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(to.Close(), f.Close()); err != nil {
		t.Fatal(err)
	}
	return out
}

// An incomplete backup is refused when it is opened.
func TestDamagedFiles(t *testing.T) {
	t.Parallel()
	_, s := studio(t)
	path, _ := take(t, s)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	raw := func(body []byte) string {
		out := filepath.Join(t.TempDir(), "x.zip")
		write(t, out, string(body))
		return out
	}
	flipped := slices.Clone(whole)
	flipped[len(flipped)/3] ^= 1
	for name, path := range map[string]string{
		"cut off":       raw(whole[:len(whole)-100]),
		"a flipped bit": raw(flipped),
		"no zip":        raw([]byte("PGDMP")),
		"nothing":       raw(nil),
		"out of the folder": changed(t, path, nil, func(name string, body []byte) (string, []byte) {
			return strings.Replace(name, "media/c3", "media/../../c3", 1), body
		}),
		"something else inside": changed(t, path, nil, func(name string, body []byte) (string, []byte) {
			return strings.Replace(name, "media/c3.webp", "secret", 1), body
		}),
		"no dump": changed(t, path, nil, func(name string, body []byte) (string, []byte) {
			return strings.Replace(name, "database.dump", "media/dump", 1), body
		}),
		"a manifest of something else": changed(t, path, func(m map[string]any) { clear(m) }, nil),
	} {
		if _, err := backup.Open(path); !errors.Is(err, backup.ErrDamaged) {
			t.Errorf("%s: %v", name, err)
		}
	}
	newer := changed(t, path, func(m map[string]any) { m["format"] = 2 }, nil)
	if _, err := backup.Open(newer); err == nil || !strings.Contains(err.Error(), "newer Foyer (42)") {
		t.Errorf("a newer format: %v", err)
	}
	if _, err := backup.Open("/nowhere.zip"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
}

// A backup for another program or secret is refused before anything is changed.
func TestCheck(t *testing.T) {
	t.Parallel()
	_, s := studio(t)
	path, m := take(t, s)
	f := open(t, path)
	for _, c := range []struct {
		migration   int64
		fingerprint string
		want        string
	}{
		{m.Migration, "f00d", ""},
		{m.Migration + 1, "", ""},
		{m.Migration - 1, "f00d", fmt.Sprintf("has migration %d, made by Foyer 42, but this program has %d", m.Migration, m.Migration-1)},
		{m.Migration, "beef", "fingerprint is f00d, and this one's is beef"},
	} {
		err := f.Check(c.migration, c.fingerprint)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v", c, err)
		}
	}
	if err := f.CheckServer(m.ServerMajor - 1); err == nil || !strings.Contains(err.Error(), "use version") {
		t.Errorf("an older server: %v", err)
	}
}

// An interrupted restore leaves the database and the photos unchanged.
func TestNothingIsRestored(t *testing.T) {
	t.Parallel()
	_, s := studio(t)
	path, _ := take(t, s)
	there := apptest.EmptyDatabase(t)
	if _, err := migrate.Up(t.Context(), there.URL("foyer_owner"), nil); err != nil {
		t.Fatal(err)
	}
	run(t, there, "postgres", "insert into persons (id, email, created_at, updated_at) values (gen_random_uuid(), 'here@example.com', now(), now())")
	media := filepath.Join(t.TempDir(), "media")
	write(t, filepath.Join(media, "mine.webp"), "mine")
	before := apptest.Sums(t, there)
	stays := func(what string) {
		t.Helper()
		same(t, what, apptest.Sums(t, there), before)
		if body, err := os.ReadFile(filepath.Join(media, "mine.webp")); err != nil || string(body) != "mine" {
			t.Errorf("%s: the photo is %q, %v", what, body, err)
		}
		if beside, err := os.ReadDir(filepath.Dir(media)); err != nil || len(beside) != 1 {
			t.Errorf("%s: left over: %v, %v", what, beside, err)
		}
	}
	try := func(what, path string, replace bool, want string) {
		t.Helper()
		err := open(t, path).Restore(t.Context(), programs(t), backup.Target{URL: there.URL("foyer_owner"), Media: media, Replace: replace})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", what, err)
		}
		stays(what)
	}
	try("not empty", path, false, backup.ErrNotEmpty.Error())
	try("a row too few", changed(t, path, func(m map[string]any) { m["rows"].(map[string]any)["public.occurrences"] = 4 }, nil), true,
		"occurrences has 3 rows, the backup says 4")
	try("a dump that is cut off", changed(t, path, nil, func(name string, body []byte) (string, []byte) {
		if name == "database.dump" {
			body = body[:len(body)*4/5]
		}
		return name, body
	}), true, "pg_restore")
	try("a dump that is none", changed(t, path, nil, func(name string, body []byte) (string, []byte) {
		if name == "database.dump" {
			body = []byte("none")
		}
		return name, body
	}), true, "pg_restore")
	try("an older server", changed(t, path, func(m map[string]any) { m["serverMajor"] = 99 }, nil), true, "use version 99 or newer")
	try("older programs", changed(t, path, func(m map[string]any) { m["dumpMajor"] = 99 }, nil), true, "version 99 or newer were found")

	db := there.URL("foyer_app")
	conn, err := pgx.Connect(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	try("in use", path, true, backup.ErrInUse.Error())
	if err := conn.Close(t.Context()); err != nil {
		t.Fatal(err)
	}

	bare := apptest.BareDatabase(t)
	run(t, bare, "postgres", "grant connect on database "+bare.Name+" to foyer_owner")
	err = open(t, path).Restore(t.Context(), programs(t), backup.Target{URL: bare.URL("foyer_owner"), Media: filepath.Join(t.TempDir(), "media")})
	if !errors.Is(err, backup.ErrNoRoles) {
		t.Errorf("a database that nobody prepared: %v", err)
	}
}

// Command lines are public on a machine: they contain no password. Parameters that only our driver supports are left
// out.
func TestCommandLine(t *testing.T) {
	for address, want := range map[string]string{
		"postgres://foyer_backup:s3cret@db:6432/foyer?options=-c%20x%3D1&pool_max_conns=4": "--dbname=postgres://foyer_backup@db:6432/foyer?options=-c%20x%3D1",
		"postgresql://db/foyer?user=foyer_backup&password=s3cret":                          "--dbname=postgresql://db/foyer?user=foyer_backup",
	} {
		args, environ, err := backup.Command(t.Context(), address)
		if err != nil || !slices.Contains(args, want) || strings.Contains(strings.Join(args, " "), "s3cret") {
			t.Errorf("%s: %q, %v", address, args, err)
		}
		if !slices.Contains(environ, "PGPASSWORD=s3cret") {
			t.Errorf("%s: the password is nowhere", address)
		}
	}
	if _, _, err := backup.Command(t.Context(), "host=db password=s3cret"); err == nil || strings.Contains(err.Error(), "s3cret") {
		t.Errorf("no URL: %v", err)
	}
}

// The lines of a dump that are changed are those of its beginning; a row that looks like one stays.
func TestAdapt(t *testing.T) {
	const rest = "COPY notes (text) FROM stdin;\nSET transaction_timeout = 0;\nCREATE SCHEMA app;\n\\.\n"
	var out strings.Builder
	in := "SET lock_timeout = 0;\nSET transaction_timeout = 0;\nCREATE SCHEMA app;\nCREATE SCHEMA river;\n" + rest
	if err := backup.Adapt(&out, strings.NewReader(in)); err != nil {
		t.Fatal(err)
	}
	want := "SET lock_timeout = 0;\nCREATE SCHEMA app;\nGRANT CREATE ON SCHEMA app TO foyer_lookup;\nCREATE SCHEMA river;\n" + rest
	if out.String() != want {
		t.Errorf("%q", out.String())
	}
}
