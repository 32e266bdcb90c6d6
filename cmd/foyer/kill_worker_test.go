package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"foyer/app/clock"
	"foyer/billing"
)

// errand is a job of the outbox, as it stands there.
type errand struct {
	Kind string          `json:"kind"`
	Args json.RawMessage `json:"args"`
}

// workByHand is a worker in a process of its own that runs the given jobs, one by one, and nothing else: so the n-th
// call follows from the job alone. It reads errands, a line each, and answers each with a line.
func workByHand() {
	if err := workErrands(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func workErrands(in io.Reader, out io.Writer) error {
	ctx := context.Background()
	c, err := readConfig(os.Getenv, os.Environ())
	if err != nil {
		return err
	}
	moving := &clock.Adjustable{}
	x, err := buildProduct(ctx, parts{
		config: c, database: database{job: c.DatabaseJobURL}, clock: moving, log: slog.New(slog.DiscardHandler), worker: true,
	})
	if err != nil {
		return err
	}
	defer x.close()
	fmt.Fprintln(out, "ready")
	for lines := bufio.NewScanner(in); lines.Scan(); {
		var e errand
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			return err
		}
		said := "done"
		if err := x.do(ctx, moving, e); err != nil {
			said = strings.ReplaceAll(err.Error(), "\n", " ")
		}
		fmt.Fprintln(out, said)
	}
	return nil
}

// postDocuments is an errand that is no job: it posts what is due at an instant to the accounting provider.
const postDocuments = "accounting.postings"

// do runs a job of money as the worker does.
func (x *product) do(ctx context.Context, moving *clock.Adjustable, e errand) error {
	switch e.Kind {
	case postDocuments:
		return doJob(ctx, e, func(ctx context.Context, at time.Time) error {
			moving.Advance(at.Sub(moving.Now()))
			return x.Accounting.PostDue(ctx)
		})
	case billing.WebhookJob{}.Kind():
		return doJob(ctx, e, x.Billing.ProcessWebhook)
	case billing.RefundJob{}.Kind():
		return doJob(ctx, e, x.Billing.SubmitRefund)
	}
	return doJob(ctx, e, x.Owed.ChargeDue)
}

func doJob[A any](ctx context.Context, e errand, run func(context.Context, A) error) error {
	var args A
	if err := json.Unmarshal(e.Args, &args); err != nil {
		return err
	}
	return run(ctx, args)
}

// hand is such a worker, with a cable of its own to the database.
type hand struct {
	*killStudio
	cable   *cable
	environ []string
	cmd     *exec.Cmd
	in      io.Writer
	out     *bufio.Reader
}

func (s *killStudio) openHand(t *testing.T) *hand {
	t.Helper()
	w, address := openWire(t, s.database.URL("foyer_job"))
	h := &hand{killStudio: s, cable: w, environ: []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "TMPDIR=" + os.TempDir(), "GOCOVERDIR=" + os.Getenv("GOCOVERDIR"),
		"DATABASE_JOB_URL=" + address, "DATABASE_URL=" + address, "DATABASE_MAX_CONNS=4", "FOYER_SECRET=" + killSecret,
		"FOYER_SEAL_KEYS=" + killSealKeys,
		"STRIPE_SECRET_KEY=" + stripeTestKey, "STRIPE_PUBLISHABLE_KEY=" + stripePublicTestKey,
		"HTTPS_PROXY=" + s.stripe.proxy, "SSL_CERT_FILE=" + s.stripe.roots,
	}}
	if err := h.start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(h.kill)
	return h
}

func (h *hand) start() error {
	h.cmd = exec.Command("foyer-hand")
	h.cmd.Env = h.environ
	in, err := h.cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := h.cmd.StdoutPipe()
	if err != nil {
		return err
	}
	h.in, h.out = in, bufio.NewReader(out)
	if err := h.cmd.Start(); err != nil {
		return err
	}
	said, err := h.out.ReadString('\n')
	if err == nil && said != "ready\n" {
		err = errors.New(said)
	}
	return err
}

// kill is kill -9. It returns when the process is gone.
func (h *hand) kill() {
	_ = h.cmd.Process.Kill()    // it may be gone already
	_, _ = h.cmd.Process.Wait() // and then this was returned before
}

// run has it do a job; it may die of it.
func (h *hand) run(e errand) error {
	line, err := json.Marshal(e)
	if err != nil {
		return err
	}
	if _, err := h.in.Write(append(line, '\n')); err != nil {
		return err
	}
	said, err := h.out.ReadString('\n')
	if err == nil && said != "done\n" {
		err = errors.New(said)
	}
	return err
}

// strikeAt is where a process is killed: at the n-th of its calls to the database or to the processor, before the
// call, or after it was carried out and before its answer. n is 0 for nowhere.
type strikeAt struct {
	processor bool
	n         int
	after     bool
}

func (s strikeAt) String() string {
	to, when := "the database", "before"
	if s.processor {
		to = "the processor"
	}
	if s.after {
		when = "after"
	}
	return fmt.Sprintf("%s call %d to %s", when, s.n, to)
}

// mortal is a process that can be killed at its calls: the server of a lane, or a hand.
type mortal struct {
	cable  *cable
	stripe *farStripe
	kill   func()
	start  func() error
}

// arm has it killed there; without a place it only counts.
func (m mortal) arm(at strikeAt) {
	database, processor := at.n, 0
	if at.processor {
		database, processor = 0, at.n
	}
	m.cable.arm(database, at.after, m.kill)
	m.stripe.arm(processor, at.after, func() { m.kill(); m.cable.end() })
}

// disarm returns the number of calls to both, and whether the process was killed.
func (m mortal) disarm() (database, processor int, struck bool) {
	database, byDatabase := m.cable.disarm()
	processor, byProcessor := m.stripe.disarm()
	return database, processor, byDatabase || byProcessor
}
