package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"

	"foyer/app/pg/embedded"
)

const (
	// diskSize is room for an empty cluster, whose write-ahead log alone comes in files of 16 MB, and a small town.
	diskSize     = "256m"
	diskFullLong = 15 * time.Second
)

// diskFull lets the disk of Postgres and the one of temporary files run full while people book, and frees it again. The program may
// end by itself when its Postgres cannot come back; the drill then starts it again, as a supervisor does.
func diskFull(ctx context.Context, p *place) (list []figure, err error) {
	disk, temporary := filepath.Join(p.dir, "disk"), filepath.Join(p.dir, "temporary")
	for _, d := range []struct{ at, size string }{{disk, diskSize}, {temporary, "1m"}} {
		gone, err := mount(d.at, d.size)
		if err != nil {
			return []figure{holds("a full disk", "told, nothing lost", "not run: "+err.Error(), false)}, nil
		}
		defer gone()
	}
	if err := fill(filepath.Join(temporary, "filler")); err != nil {
		return nil, err
	}
	home := filepath.Join(disk, "foyer")
	s := p.apart(home, "TMPDIR="+temporary)
	address, err := freeAddress()
	if err != nil {
		return nil, err
	}
	w := watched{command: s.command(s.foyer, "disk-full", "serve", "--addr", address)}
	if err := w.begin(ctx); err != nil {
		return nil, err
	}
	at := newWire(address)
	defer at.close()
	t, err := s.founder(at).found(ctx, size{studios: sharedStudios, listings: 50, customers: 2 * bookers})
	if err != nil {
		return nil, errors.Join(err, w.end())
	}

	filler := filepath.Join(disk, "filler")
	var seen tally
	var done ledger
	stop := t.bookersAt(ctx, at, sharedStudios, &seen, &done)
	pause(ctx, time.Second)
	was := postmaster(filepath.Join(home, "pg"))
	if err = fill(filler); err == nil {
		pause(ctx, diskFullLong/2)
		exhaust(ctx, filepath.Join(home, "pg"))
		pause(ctx, diskFullLong/2)
		err = os.Remove(filler)
	}
	began := time.Now() // real time: it is what is measured
	before := done.len()
	_, back := until(ctx, time.Minute, func() bool { return done.len() > before })
	recovered := time.Since(began)
	stop()
	if err != nil || !back {
		return nil, errors.Join(err, errors.New("nothing is booked after the disk was freed: "+w.words()), w.end())
	}
	p.say("  %s; the program was started again %d times", &seen, w.again)
	gaveUp := "continued"
	if postmaster(filepath.Join(home, "pg")) != was {
		gaveUp = "exited and restarted"
	}
	a, err := done.compare(ctx, at, t, sharedStudios)
	if err != nil {
		return nil, errors.Join(err, w.end())
	}
	amiss, err := amcheck(ctx, filepath.Join(home, "pg"))
	if err = errors.Join(err, w.end()); err != nil {
		return nil, err
	}
	return []figure{
		none(fmt.Sprintf("disk of Postgres (a tmpfs of %s) and of temporary files full for %s: responses other than success or \"retry\"", diskSize, short(diskFullLong)),
			seen.unsaid()-seen.count(noAnswer), fmt.Sprintf("%d (%d told to retry, %d without a connection; Postgres %s, restarts of the program: %d)",
				seen.count(anyStatus), seen.later, seen.count(noAnswer), gaveUp, w.again)),
		atMost("the same, time from free disk to the next booking", backMost, recovered),
		holds("the same, bookings acknowledged; lost; without a response; findings of the data check", "any, 0, 0, 0",
			fmt.Sprintf("%d, %d, %d, %d", done.len(), a.lost, a.extra, a.wrong), done.len() > before && a == account{}),
		holds("the same, findings of pg_amcheck on every table and index", "none", amiss, amiss == "none"),
	}, nil
}

// mount makes a small disk in memory; only root may.
func mount(at, size string) (gone func(), err error) {
	if err := os.MkdirAll(at, 0o755); err != nil { //nolint:gosec // Postgres runs as another account, which must get through
		return nil, err
	}
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "mode=1777,size="+size, "tmpfs", at).CombinedOutput(); err != nil { //nolint:gosec // our own folder
		return nil, fmt.Errorf("no tmpfs can be mounted: %w: %s", err, strings.TrimSpace(string(out)))
	}
	return func() { _ = syscall.Unmount(at, syscall.MNT_DETACH) }, nil
}

// fill writes a file until there is no room.
func fill(name string) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	for size := 1 << 20; size > 0; {
		if _, err = f.Write(make([]byte, size)); errors.Is(err, syscall.ENOSPC) {
			size /= 2 // the last corner, too
		} else if err != nil {
			return errors.Join(err, f.Close())
		}
	}
	return f.Close()
}

// exhaust has an embedded server begin new files of its write-ahead log until it cannot, which is what a busy day does to a full
// disk: Postgres gives up at once.
func exhaust(ctx context.Context, data string) {
	s, err := embedded.Start(ctx, embedded.Options{DataDir: data}) // the one that runs
	if err != nil {
		return // it has given up already
	}
	defer func() { _ = s.Stop(ctx) }() // it is not ours
	c, err := pgx.Connect(ctx, s.URL("postgres", "foyer"))
	if err != nil {
		return
	}
	defer c.Close(ctx)
	for range 8 {
		if _, err := c.Exec(ctx, "select pg_logical_emit_message(true, 'drill', ''); select pg_switch_wal()"); err != nil {
			return
		}
	}
}

// amcheck has Postgres's own checker look at every table and index of an embedded server that runs.
func amcheck(ctx context.Context, data string) (found string, err error) {
	s, err := embedded.Start(ctx, embedded.Options{DataDir: data}) // the one that runs
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, s.Stop(ctx)) }()
	c, err := pgx.ParseConfig(s.URL("postgres", "foyer"))
	if err != nil {
		return "", err
	}
	program, err := findAmcheck()
	if err != nil {
		return "not done: " + err.Error(), nil
	}
	cmd := exec.CommandContext(ctx, program, "--install-missing", "--heapallindexed", "-h", c.Host, "-p", fmt.Sprint(c.Port), "-U", "postgres", "foyer") //nolint:gosec // found on this machine
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return strings.TrimSpace(string(out)), nil
	}
	return "none", err
}

// findAmcheck looks where Debian and Fedora have it.
func findAmcheck() (string, error) {
	if path, err := exec.LookPath("pg_amcheck"); err == nil {
		return path, nil
	}
	for _, where := range []string{"/usr/lib/postgresql/*/bin/pg_amcheck", "/usr/pgsql-*/bin/pg_amcheck"} {
		if found, _ := filepath.Glob(where); len(found) > 0 {
			return found[len(found)-1], nil
		}
	}
	return "", errors.New("there is no pg_amcheck")
}

// watched is a program with a supervisor that starts it again when it has ended.
type watched struct {
	command
	again int

	mu      sync.Mutex
	program *program
	leave   func()
}

func (w *watched) begin(ctx context.Context) (err error) {
	if w.program, err = w.start(ctx); err != nil {
		return err
	}
	w.leave = behind(ctx, func(ctx context.Context) {
		for pause(ctx, 500*time.Millisecond) {
			if w.program.alive() {
				continue
			}
			w.again++
			if next, err := w.start(ctx); err == nil { // else it is tried again
				w.mu.Lock()
				w.program = next
				w.mu.Unlock()
			}
		}
	})
	return nil
}

// words is what it said last.
func (w *watched) words() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.program.words()
}

// end ends the supervisor and then the program.
func (w *watched) end() error {
	w.leave()
	return ended(w.program)
}
