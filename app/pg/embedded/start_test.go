package embedded_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"foyer/app/pg/embedded"
)

// A first start with the product's own settings: makes the directory and its parents, is durable, and trusts only
// accounts that can enter the socket's directory.
func TestNewDataDirectory(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(workDir(t), "not", "yet there", "pg")
	var steps []string
	s := start(t, embedded.Options{DataDir: dir, Progress: func(line string) { steps = append(steps, line) }})
	if s.Adopted() {
		t.Error("a new server is called adopted")
	}
	for sql, want := range map[string]string{
		"select 1::text": "1",
		"select rolsuper::text from pg_roles where rolname = current_user": "true",
		"show server_encoding":      "UTF8",
		"show fsync":                "on",
		"show full_page_writes":     "on",
		"show synchronous_commit":   "on",
		"show data_checksums":       "on",
		"show listen_addresses":     "",
		"show max_connections":      "200",
		"show timezone":             "UTC",
		"select upper('é')":         "É",
		"select ('Z' < 'a')::text":  "true",
		"select ('Z' < 'é')::text":  "true",
		"select current_database()": "postgres",
		"select count(*)::text from pg_hba_file_rules where type <> 'local' and auth_method <> 'reject'": "0",
	} {
		if got := ask(t, root(s), sql); got != want {
			t.Errorf("%s: %q, expected %q", sql, got, want)
		}
	}
	info, err := os.Stat(socketDir(root(s)))
	must(t, err)
	if info.Mode().Perm() != 0o700 {
		t.Errorf("the socket's directory has mode %v", info.Mode())
	}
	if len(steps) == 0 {
		t.Error("no progress was told for initdb")
	}
}

func TestStopKeepsTheData(t *testing.T) {
	t.Parallel()
	o := embedded.Options{DataDir: dataDir(t), Fast: true}
	s := start(t, o)
	ask(t, root(s), "create table kept as select 42 as x")
	must(t, s.Stop(t.Context()))
	if pid := serverPID(o.DataDir); pid != 0 {
		t.Errorf("process %d is still written down", pid)
	}
	if _, err := os.Stat(socketDir(root(s))); !os.IsNotExist(err) {
		t.Errorf("the socket's directory is still there: %v", err)
	}
	again := start(t, o)
	if got := ask(t, root(again), "select x::text from kept"); got != "42" {
		t.Errorf("x is %q", got)
	}
	if got := ask(t, root(again), "show fsync"); got != "off" {
		t.Errorf("Fast has fsync %s", got)
	}
}

// A stop does not wait for open connections, and a stop without any time still ends the server.
func TestStopWithOpenConnections(t *testing.T) {
	t.Parallel()
	o := embedded.Options{DataDir: dataDir(t), Fast: true}
	s := start(t, o)
	busy := make(chan struct{})
	go func() {
		defer close(busy)
		if conn, err := connect(root(s)); err == nil {
			conn.Exec(context.Background(), "select pg_sleep(60)")
		}
	}()
	within(t, patience, "the sleeper is there", func() bool {
		return ask(t, root(s), "select count(*)::text from pg_stat_activity where query like '%sleep(6%' and pid <> pg_backend_pid()") == "1"
	})
	must(t, s.Stop(t.Context()))
	<-busy

	s = start(t, o)
	now, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Stop(now); err == nil {
		t.Error("an impatient stop says it was in good order")
	}
	if s := start(t, o); s.Adopted() {
		t.Error("the server still ran")
	}
}

func TestURL(t *testing.T) {
	t.Parallel()
	s := start(t, embedded.Options{DataDir: dataDir(t), Fast: true})
	ask(t, root(s), `create role "o'brien/ä" login`)
	ask(t, root(s), `create database "a b?c"`)
	if got := ask(t, s.URL("o'brien/ä", "a b?c"), "select current_user || ' in ' || current_database()"); got != "o'brien/ä in a b?c" {
		t.Errorf("got %q", got)
	}
}

func TestCancelledStartLeavesNothing(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(workDir(t), "pg")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	s, err := embedded.Start(ctx, embedded.Options{DataDir: dir, Fast: true, Progress: func(string) { cancel() }})
	if err == nil {
		s.Stop(context.Background())
		t.Fatal("a cancelled start succeeded")
	}
	for _, left := range []string{dir, dir + ".new"} {
		if _, err := os.Stat(left); !os.IsNotExist(err) {
			t.Errorf("%s was left behind", left)
		}
	}
	start(t, embedded.Options{DataDir: dir, Fast: true})
}

func TestDefaultDataDir(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ xdg, home, want string }{
		{"", "/home/ada", "/home/ada/.local/share/foyer"},
		{"/data/ada", "/home/ada", "/data/ada/foyer"},
		{"relative", "/home/ada", "/home/ada/.local/share/foyer"},
	} {
		if os.Geteuid() == 0 {
			c.want = "/var/lib/foyer"
		}
		got := embedded.DefaultDataDir(settings(map[string]string{"XDG_DATA_HOME": c.xdg, "HOME": c.home}))
		if got != c.want {
			t.Errorf("%+v: %s", c, got)
		}
	}
	if got := embedded.DefaultDataDir(settings(map[string]string{"XDG_DATA_HOME": "", "HOME": ""})); !filepath.IsAbs(got) {
		t.Errorf("without HOME: %s", got)
	}
}

func TestRefusedDataDirectories(t *testing.T) {
	t.Parallel()
	if text := fails(t, embedded.Options{}); !strings.Contains(text, "no data directory") {
		t.Error(text)
	}
	dir := filepath.Join(workDir(t), "mine")
	must(t, os.Mkdir(dir, 0o700))
	must(t, os.WriteFile(filepath.Join(dir, "letters.txt"), []byte("mine"), 0o600))
	contains(t, fails(t, embedded.Options{DataDir: dir}), dir, "neither empty nor a PostgreSQL data directory")

	squatted := embedded.Options{DataDir: dataDir(t), Fast: true}
	s := start(t, squatted)
	sockets := socketDir(root(s))
	must(t, s.Stop(t.Context()))
	must(t, os.WriteFile(sockets, nil, 0o600))
	defer os.Remove(sockets)
	contains(t, fails(t, squatted), sockets, "belongs to another account")
}
