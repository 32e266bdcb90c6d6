package embedded_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"foyer/app/pg/embedded"
)

const patience = 10 * time.Second

func connect(url string) (*pgx.Conn, error) { return pgx.Connect(context.Background(), url) }

func TestAdopt(t *testing.T) {
	t.Parallel()
	o := embedded.Options{DataDir: dataDir(t), Fast: true}
	link := filepath.Join(workDir(t), "link")
	must(t, os.Symlink(o.DataDir, link))
	owner := start(t, o)
	guest := start(t, embedded.Options{DataDir: link})
	if !guest.Adopted() || root(guest) != root(owner) {
		t.Errorf("adopted %v, %s, expected %s", guest.Adopted(), root(guest), root(owner))
	}
	must(t, guest.Stop(t.Context()))
	if got := ask(t, root(owner), "select 1::text"); got != "1" {
		t.Errorf("after the guest left: %q", got)
	}
}

// However many start at once, one server comes up and all are in it.
func TestStartsAtOnce(t *testing.T) {
	t.Parallel()
	o := embedded.Options{DataDir: filepath.Join(workDir(t), "pg"), Fast: true}
	var owners atomic.Int32
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			s, err := embedded.Start(context.Background(), o)
			if err != nil {
				t.Error(err)
				return
			}
			if !s.Adopted() {
				owners.Add(1)
			}
			t.Cleanup(func() { s.Stop(context.Background()) })
		})
	}
	all.Wait()
	if n := owners.Load(); n != 1 {
		t.Errorf("%d servers were started", n)
	}
}

// A start that meets a server on its way out waits for its end and starts anew.
func TestStartWhileStopping(t *testing.T) {
	t.Parallel()
	o := embedded.Options{DataDir: dataDir(t), Fast: true}
	for range 5 {
		s := start(t, o)
		stopped := make(chan error)
		go func() { stopped <- s.Stop(context.Background()) }()
		next := start(t, o)
		must(t, <-stopped)
		if !next.Adopted() {
			ask(t, root(next), "select 1::text")
		}
		must(t, next.Stop(t.Context()))
	}
}

// A dead server's process number may have gone to another program, or to the zombie of the server itself.
func TestStalePostmasterFile(t *testing.T) {
	t.Parallel()
	zombie := exec.Command("true")
	must(t, zombie.Start())
	t.Cleanup(func() { zombie.Wait() })
	for name, pid := range map[string]int{"another program": os.Getpid(), "a zombie": zombie.Process.Pid, "nobody": 4_194_304} {
		t.Run(name, func(t *testing.T) {
			o := embedded.Options{DataDir: dataDir(t), Fast: true}
			s := start(t, o)
			pidFile := filepath.Join(o.DataDir, "postmaster.pid")
			was, err := os.ReadFile(pidFile)
			must(t, err)
			must(t, s.Stop(t.Context()))
			_, rest, _ := cutLine(string(was))
			stale := strconv.Itoa(pid) + "\n" + rest
			must(t, os.WriteFile(pidFile, []byte(stale), 0o600))
			must(t, os.Chown(pidFile, owner(t, o.DataDir), -1))
			must(t, os.Mkdir(socketDir(root(s)), 0o700))
			must(t, os.WriteFile(filepath.Join(socketDir(root(s)), ".s.PGSQL.5432.lock"), []byte(stale), 0o600))
			again := start(t, o)
			if again.Adopted() {
				t.Error("a dead server was adopted")
			}
			ask(t, root(again), "select 1::text")
		})
	}
}
