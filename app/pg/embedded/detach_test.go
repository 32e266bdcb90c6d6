package embedded_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"foyer/app/pg/embedded"
)

const shortLinger = time.Second

// The server outlives the process that started it and every user but the last, whether they leave or are killed.
func TestDetachedServerEndsAfterItsLastUser(t *testing.T) {
	t.Parallel()
	o := embedded.Options{DataDir: dataDir(t), Fast: true, Detach: true, Linger: shortLinger}
	starter := startProgram(t, o, nil)
	killed := startProgram(t, o, nil)
	last := start(t, o)
	if !last.Adopted() {
		t.Error("a second server was started")
	}
	pid := serverPID(o.DataDir)
	starter.end()
	killed.kill(t)
	time.Sleep(2 * shortLinger)
	if got := ask(t, root(last), "select 1::text"); got != "1" || serverPID(o.DataDir) != pid {
		t.Fatalf("the server did not stay for its last user: %q", got)
	}
	must(t, last.Stop(t.Context()))
	begin := time.Now()
	within(t, patience, "the server ended", func() bool { return serverPID(o.DataDir) == 0 })
	t.Logf("ended %v after the last user, linger %v", time.Since(begin).Round(time.Millisecond), shortLinger)
	within(t, patience, "the socket's directory is gone", func() bool {
		_, err := os.Stat(socketDir(root(last)))
		return os.IsNotExist(err)
	})
	next := start(t, o)
	if next.Adopted() {
		t.Error("the next user adopted an ended server")
	}
	ask(t, root(next), "select 1::text")
}

// A process with the address of a server is a user of it, also when the Server itself is unreachable.
func TestAForgottenServerStays(t *testing.T) {
	t.Parallel()
	o := embedded.Options{DataDir: dataDir(t), Fast: true, Detach: true, Linger: shortLinger}
	address := func() string {
		s, err := embedded.Start(t.Context(), o)
		must(t, err)
		return root(s)
	}()
	for range 6 {
		runtime.GC()
		time.Sleep(shortLinger / 2)
	}
	if got := ask(t, address, "select 1::text"); got != "1" {
		t.Errorf("got %q", got)
	}
	must(t, syscall.Kill(parent(t, serverPID(o.DataDir)), syscall.SIGTERM)) // it cannot be stopped any more
}

// Users at the very moment of the server's end are always served.
func TestUsersAroundTheEndOfADetachedServer(t *testing.T) {
	t.Parallel()
	o := embedded.Options{DataDir: dataDir(t), Fast: true, Detach: true, Linger: 20 * time.Millisecond}
	adopted := 0
	for i := range 25 {
		s := start(t, o)
		if s.Adopted() {
			adopted++
		}
		for range 2 {
			ask(t, root(s), "select 1::text")
		}
		must(t, s.Stop(t.Context()))
		time.Sleep(time.Duration(i*3) * time.Millisecond)
	}
	t.Logf("%d of 25 users met a running server", adopted)
}

// The server never outlives its holder.
func TestKilledHolder(t *testing.T) {
	t.Parallel()
	o := embedded.Options{DataDir: dataDir(t), Fast: true, Detach: true, Linger: shortLinger}
	for _, sig := range []syscall.Signal{syscall.SIGKILL, syscall.SIGTERM} {
		s := start(t, o)
		must(t, syscall.Kill(parent(t, serverPID(o.DataDir)), sig))
		if sig == syscall.SIGKILL && runtime.GOOS != "linux" {
			next := start(t, o)
			if !next.Adopted() {
				t.Error("the server was not adopted")
			}
			killServer(t, o.DataDir)
			continue
		}
		within(t, patience, "the server ended with its holder", func() bool { return serverPID(o.DataDir) == 0 })
		must(t, s.Stop(t.Context()))
	}
}

// A killed server takes its holder with it, and the next user starts another.
func TestKilledDetachedServer(t *testing.T) {
	t.Parallel()
	o := embedded.Options{DataDir: dataDir(t), Fast: true, Detach: true, Linger: shortLinger}
	first := start(t, o)
	holder := parent(t, serverPID(o.DataDir))
	killServer(t, o.DataDir)
	second := start(t, o)
	if second.Adopted() {
		t.Error("a killed server was adopted")
	}
	ask(t, root(second), "select 1::text")
	must(t, first.Stop(t.Context()))
	within(t, patience, "the first holder ended", func() bool { return syscall.Kill(holder, 0) != nil })
}

// A starter that is killed while the server comes up leaves one server, which ends by itself.
func TestKilledStarter(t *testing.T) {
	t.Parallel()
	o := embedded.Options{DataDir: filepath.Join(workDir(t), "pg"), Fast: true, Detach: true, Linger: shortLinger}
	starter := exec.Command(os.Args[0])
	starter.Env = append(os.Environ(), childRole+"="+fmt.Sprintf(`{"DataDir":%q,"Fast":true,"Detach":true,"Linger":%d}`, o.DataDir, o.Linger))
	must(t, starter.Start())
	within(t, patience, "initdb is at work", func() bool {
		_, err := os.Stat(o.DataDir + ".new")
		return err == nil
	})
	must(t, starter.Process.Kill())
	starter.Wait()
	s := start(t, o)
	if !s.Adopted() {
		t.Error("a second server was started beside the first")
	}
	must(t, s.Stop(t.Context()))
	within(t, patience, "the server ended", func() bool { return serverPID(o.DataDir) == 0 })
}

// The reason that a holder cannot start its server reaches the caller.
func TestDetachedServerThatCannotStart(t *testing.T) {
	t.Parallel()
	o := embedded.Options{DataDir: dataDir(t), Fast: true, Detach: true, Linger: shortLinger}
	o.Getenv = settings(map[string]string{"FOYER_PG_BIN": "/nowhere/bin"})
	contains(t, fails(t, o), "FOYER_PG_BIN", "/nowhere/bin")

	o.Getenv = nil
	conf := filepath.Join(o.DataDir, "postgresql.conf")
	must(t, os.WriteFile(conf, []byte("no_such_setting = 1\n"), 0o600))
	contains(t, fails(t, o), "postgres ended while starting", "no_such_setting")
}

func parent(t *testing.T, pid int) int {
	t.Helper()
	out, err := exec.Command("ps", "-o", "ppid=", "-p", strconv.Itoa(pid)).Output()
	must(t, err)
	ppid, err := strconv.Atoi(strings.TrimSpace(string(out)))
	must(t, err)
	return ppid
}
