package embedded_test

import (
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"foyer/app/pg/embedded"
)

func cutLine(text string) (first, rest string, ok bool) { return strings.Cut(text, "\n") }

// A killed server leaves processes that hold its memory until they notice; the next start waits them out. A stopped
// process notices nothing until it is continued.
func TestStartAfterTheServerWasKilled(t *testing.T) {
	t.Parallel()
	o := embedded.Options{DataDir: dataDir(t)}
	s := start(t, o)
	ask(t, root(s), "create table kept as select 42 as x")
	conn, err := connect(root(s))
	must(t, err)
	defer conn.Close(t.Context())
	leftover := int(conn.PgConn().PID())
	must(t, syscall.Kill(leftover, syscall.SIGSTOP))
	killServer(t, o.DataDir)
	const held = time.Second
	time.AfterFunc(held, func() { syscall.Kill(leftover, syscall.SIGCONT) })

	begin := time.Now()
	again := start(t, o)
	if took := time.Since(begin); took < held/2 {
		t.Errorf("up after %v beside a process of the killed server", took)
	}
	if again.Adopted() {
		t.Error("a killed server was adopted")
	}
	if got := ask(t, root(again), "select x::text from kept"); got != "42" {
		t.Errorf("x is %q", got)
	}
}

// The death of the program that owns the server is a shutdown in good order, not a crash. On a system that cannot
// signal the child at its parent's death, the server goes on and is adopted.
func TestStartAfterTheOwnerWasKilled(t *testing.T) {
	t.Parallel()
	var log logged
	o := embedded.Options{DataDir: dataDir(t), Fast: true, Log: &log}
	owner := startProgram(t, o, nil)
	ask(t, owner.url, "create table kept (x int)")
	owner.kill(t)
	if runtime.GOOS == "linux" {
		within(t, patience, "the server shut down", func() bool { return serverPID(o.DataDir) == 0 })
	}
	s := start(t, o)
	if s.Adopted() != (runtime.GOOS != "linux") {
		t.Errorf("adopted: %v", s.Adopted())
	}
	ask(t, root(s), "select count(*)::text from kept")
	if s.Adopted() {
		killServer(t, o.DataDir)
		return
	}
	contains(t, log.String(), "database system was shut down at")
}

// A start right after the owner's death meets the server on its way out.
func TestStartRightAfterTheOwnerWasKilled(t *testing.T) {
	t.Parallel()
	o := embedded.Options{DataDir: dataDir(t), Fast: true}
	owner := startProgram(t, o, nil)
	owner.kill(t)
	s := start(t, o)
	if got := ask(t, root(s), "select 1::text"); got != "1" {
		t.Errorf("got %q", got)
	}
	if s.Adopted() {
		killServer(t, o.DataDir)
	}
}
