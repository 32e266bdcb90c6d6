package main

import (
	"context"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"foyer/app/apptest"
	"foyer/app/clock"
	"foyer/app/jobs"
	"foyer/app/mail"
)

// TestEveryKindOfJobIsListed finds a kind of job that has no queue, and no life when it is a mail.
func TestEveryKindOfJobIsListed(t *testing.T) {
	t.Parallel()
	w := apptest.Open(t)
	x, _ := workHere(t, w)
	if kinds := x.jobs.Unheld(); len(kinds) > 0 {
		t.Errorf("the Terms of %s have no queue that is worked, or are a mail without an end", strings.Join(kinds, ", "))
	}
}

// workHere is the product with a worker that does not run yet, and where its mails go.
func workHere(t *testing.T, w *apptest.World) (*product, *mail.Mailbox) {
	t.Helper()
	box, err := mail.NewMailbox(clock.System{}, "")
	if err != nil {
		t.Fatal(err)
	}
	c, err := readConfig(func(string) string { return "" }, []string{"FOYER_DATA_DIR=" + t.TempDir(), "FOYER_SECRET=" + killSecret})
	if err != nil {
		t.Fatal(err)
	}
	x, err := buildProduct(t.Context(), parts{
		config: c, clock: clock.System{}, log: slog.New(slog.DiscardHandler), worker: true, mail: box,
		database: database{app: w.URL("foyer_app"), job: w.URL("foyer_job")},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(x.close)
	return x, box
}

// TestAKilledWorkersJobIsTakenOver kills a worker while it sends a mail to a server that hangs: another worker sends
// it. Any worker may be the leader, and the second one has only its own settings. TestPace tests that this takes less
// than a minute: here a second stands for half a minute there. Rule 52 of security.md.
func TestAKilledWorkersJobIsTakenOver(t *testing.T) {
	t.Parallel()
	w := apptest.Open(t)
	server, err := net.Listen("tcp", "127.0.0.1:0") // accepts the connection and does not respond
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Close() })
	first := &process{cmd: exec.Command("foyer", "work"), ended: make(chan struct{})}
	first.cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "DATABASE_URL=" + w.URL("foyer_app"), "DATABASE_JOB_URL=" + w.URL("foyer_job"),
		"DATABASE_MAX_CONNS=4", "FOYER_SECRET=" + killSecret, "SMTP_URL=smtp+plain://" + server.Addr().String(),
		"FOYER_SEAL_KEYS=" + killSealKeys, "GOCOVERDIR=" + os.Getenv("GOCOVERDIR"),
	}
	said, err := first.cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := first.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go first.listen(said, make(chan string, 1))
	t.Cleanup(func() { first.kill() })

	x, box := workHere(t, w)
	if _, err := x.Identity.Challenge(t.Context(), "ana@example.com", apptest.AtHome); err != nil {
		t.Fatal(err)
	}
	asked := make(chan net.Conn, 1)
	go func() {
		if c, err := server.Accept(); err == nil {
			asked <- c
		}
	}()
	select {
	case c := <-asked:
		defer c.Close()
	case <-first.ended:
		t.Fatalf("the worker ended: %s", strings.Join(first.lines, "\n"))
	case <-time.After(time.Minute):
		t.Fatal("the worker sends nothing")
	}
	first.kill()
	if running := apptest.Value[int](t, w, "select count(*) from river.river_job where state = 'running'"); running != 1 {
		t.Fatalf("%d jobs are the killed worker's", running)
	}

	x.jobs.Pace = jobs.Pace{Timeout: jobs.Usual.Timeout, DeadAfter: time.Second, PollInterval: 100 * time.Millisecond}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- x.run(ctx, nil, slog.New(slog.DiscardHandler)) }()
	for end := time.Now().Add(time.Minute); len(box.List("ana@example.com")) == 0; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("nobody sends the mail of the killed worker")
		}
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
