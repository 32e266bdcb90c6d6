package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"syscall"
	"time"
)

const (
	serverKills = 10
	// A program whose own Postgres dies five times in a minute gives up, and its supervisor starts it again: so twenty deaths are
	// five lives of four.
	postgresLives = 5
	postgresKills = 4
	bookers       = 8
	betweenKills  = time.Second
)

// serverKilled kills a busy server with kill -9 and starts it again, as a supervisor does.
func serverKilled(ctx context.Context, p *place) ([]figure, error) {
	s, t, err := p.shared(ctx)
	if err != nil {
		return nil, err
	}
	address, err := freeAddress()
	if err != nil {
		return nil, err
	}
	life := s.command(s.foyer, "server-killed", "serve", "--with-worker", "--addr", address)
	server, err := life.start(ctx)
	if err != nil {
		return nil, err
	}
	at := newWire(address)
	defer at.close()
	var seen tally
	var done ledger
	stop := t.bookersAt(ctx, at, sharedStudios, &seen, &done)
	var longest highest
	for range serverKills {
		pause(ctx, betweenKills)
		server.kill()
		began := time.Now() // real time: it is what is measured
		if server, err = life.start(ctx); err != nil {
			break
		}
		longest.see(int64(time.Since(began)))
	}
	stop()
	if err != nil {
		return nil, err
	}
	p.say("  %s", &seen)
	a, err := done.compare(ctx, at, t, sharedStudios)
	if err = errors.Join(err, ended(server)); err != nil {
		return nil, err
	}
	return []figure{
		holds(fmt.Sprintf("the server killed %d times while %d customers book: bookings acknowledged; lost; findings of the data check", serverKills, bookers),
			"any, 0, 0", fmt.Sprintf("%d, %d, %d", done.len(), a.lost, a.wrong), done.len() > 0 && a.lost == 0 && a.wrong == 0),
		atMost("the same, time until ready", backMost, time.Duration(longest.n.Load())),
	}, nil
}

// bookersAt has people book one after the other until stop is called. They repeat a request that got no answer, so each of
// them ends with an answer; stop waits for that.
func (t *town) bookersAt(ctx context.Context, at *wire, studios int, seen *tally, done *ledger) (stop func()) {
	return behind(ctx, func(ctx context.Context) {
		over(ctx, bookers, func(context.Context, int, int) {
			t.book(context.WithoutCancel(ctx), patiently(at, seen), studios, done)
		})
	})
}

// postgresKilled kills the server's own Postgres with kill -9. Nobody helps.
func postgresKilled(ctx context.Context, p *place) ([]figure, error) {
	home := filepath.Join(p.dir, "killed")
	s := p.apart(home)
	address, err := freeAddress()
	if err != nil {
		return nil, err
	}
	life := s.command(s.foyer, "postgres-killed", "serve", "--addr", address)
	server, err := life.start(ctx)
	if err != nil {
		return nil, err
	}
	at := newWire(address)
	defer at.close()
	t, err := s.founder(at).found(ctx, size{studios: sharedStudios, listings: 50, customers: 2 * bookers})
	if err != nil {
		return nil, errors.Join(err, ended(server))
	}
	var seen tally
	var done ledger
	var longest highest
	stop := t.bookersAt(ctx, at, sharedStudios, &seen, &done)
	err = func() (err error) {
		for n := range postgresLives * postgresKills {
			if n > 0 && n%postgresKills == 0 {
				if _, err := server.end(); err != nil {
					return err
				}
				if server, err = life.start(ctx); err != nil {
					return err
				}
			}
			pause(ctx, betweenKills)
			took, err := killPostgres(ctx, at, t, filepath.Join(home, "pg"))
			if err != nil {
				return fmt.Errorf("after kill %d: %w", n+1, err)
			}
			longest.see(int64(took))
		}
		return nil
	}()
	stop()
	if err != nil {
		return nil, errors.Join(err, ended(server))
	}
	p.say("  %s", &seen)
	a, err := done.compare(ctx, at, t, sharedStudios)
	if err = errors.Join(err, ended(server)); err != nil {
		return nil, err
	}
	return []figure{
		holds(fmt.Sprintf("Postgres killed %d times while %d customers book: bookings acknowledged; lost", postgresLives*postgresKills, bookers),
			"any, 0", fmt.Sprintf("%d, %d", done.len(), a.lost), done.len() > 0 && a.lost == 0),
		holds("the same, bookings without a response; findings of the data check", "0, 0", fmt.Sprintf("%d, %d", a.extra, a.wrong), a.extra == 0 && a.wrong == 0),
		atMost("the same, time until it serves again unaided", backMost, time.Duration(longest.n.Load())),
	}, nil
}

// killPostgres kills the server of a data directory, and tells how long it took until another one's answer came.
func killPostgres(ctx context.Context, at *wire, t *town, data string) (time.Duration, error) {
	old := postmaster(data)
	if old == 0 {
		return 0, fmt.Errorf("there is no server in %s", data)
	}
	if err := syscall.Kill(old, syscall.SIGKILL); err != nil {
		return 0, err
	}
	took, ok := until(ctx, time.Minute, func() bool {
		now := postmaster(data)
		if now == 0 || now == old {
			return false
		}
		a, err := at.do(ctx, ask{method: "GET", path: "/storefront/locations/" + t.studios[0].location + "/schedule"})
		return err == nil && a.status == 200
	})
	if !ok {
		return took, errors.New("it does not serve again")
	}
	return took, nil
}
