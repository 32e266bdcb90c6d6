package embedded_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"foyer/app/pg/embedded"
)

// keeping runs Keep until the test ends, and returns what it returns.
func keeping(t *testing.T, s *embedded.Server) <-chan error {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		done <- s.Keep(ctx)
	}()
	t.Cleanup(func() { // before the server is stopped: cleanups run in reverse
		cancel()
		<-stopped
	})
	return done
}

// A killed server is back by itself, with what was committed, at the same address.
func TestAKilledServerIsStartedAgain(t *testing.T) {
	t.Parallel()
	o := embedded.Options{DataDir: dataDir(t)}
	s := start(t, o)
	ask(t, root(s), "create table kept as select 42 as x")
	keeping(t, s)
	killServer(t, o.DataDir)
	within(t, patience, "the server answers again", func() bool { return answersNow(s) })
	if got := ask(t, root(s), "select x::text from kept"); got != "42" {
		t.Errorf("x is %q", got)
	}
}

// A process that has adopted a server keeps it running when the owner is gone.
func TestAnAdoptedServerIsTakenOver(t *testing.T) {
	t.Parallel()
	o := embedded.Options{DataDir: dataDir(t), Fast: true}
	owner := startProgram(t, o, nil)
	s := start(t, o)
	if !s.Adopted() {
		t.Fatal("the running server was not adopted")
	}
	keeping(t, s)
	owner.end()
	within(t, patience, "the server is ours and answers", func() bool { return answersNow(s) })
}

// A server that dies after every start ends Keep, with an error that has the reason.
func TestAServerThatKeepsDyingIsGivenUp(t *testing.T) {
	t.Parallel()
	o := embedded.Options{DataDir: dataDir(t), Fast: true}
	s := start(t, o)
	done := keeping(t, s)
	for end := time.Now().Add(time.Minute); ; {
		select {
		case err := <-done:
			if err == nil || !strings.Contains(err.Error(), "5 times") || !strings.Contains(err.Error(), "killed") {
				t.Errorf("it gave up with %v", err)
			}
			start(t, o) // a new Start works all the same
			return
		case <-time.After(50 * time.Millisecond):
		}
		if time.Now().After(end) {
			t.Fatal("it never gives up")
		}
		if answersNow(s) {
			killServer(t, o.DataDir)
		}
	}
}

func answersNow(s *embedded.Server) bool {
	conn, err := connect(root(s))
	if err != nil {
		return false
	}
	_ = conn.Close(context.Background())
	return true
}
