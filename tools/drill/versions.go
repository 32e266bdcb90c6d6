package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"
)

const (
	versionsBefore = 3 * time.Second  // the old program alone
	versionsAfter  = 10 * time.Second // both, on the new tables
	lockMost       = 2 * time.Second
)

// versions brings a database to the newest migration while the program of before it serves, and then has both serve: a deployment in which
// nothing stands still.
func versions(ctx context.Context, p *place) (list []figure, err error) {
	if p.old == "" {
		return nil, errors.New("-old must name the program of before the newest migration")
	}
	before, err := p.database(ctx, "versions", p.old)
	if err != nil {
		return nil, err
	}
	older, err := before.command(p.old, "versions-old", "serve", "--with-worker").start(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, ended(older)) }()
	f := before.founder(newWire(older.address))
	f.invite = before.inviting(p.old)
	t, err := f.found(ctx, size{studios: 10, listings: 10, customers: 40})
	if err != nil {
		return nil, err
	}

	watch, err := p.watchLocks(ctx, "versions")
	if err != nil {
		return nil, err
	}
	var old, fresh tally
	var done ledger
	at := newWire(older.address)
	defer at.close()
	stopOld := behind(ctx, func(ctx context.Context) {
		for ctx.Err() == nil {
			t.mixed(context.WithoutCancel(ctx), at, &old, &done, time.Second)
		}
	})
	pause(ctx, versionsBefore)
	said, err := before.run(ctx, p.foyer, "migrate")
	var newer *program
	if err == nil {
		newer, err = before.serve(ctx, "versions-new")
	}
	if err == nil {
		there := newWire(newer.address)
		t.mixed(ctx, there, &fresh, &done, versionsAfter)
		there.close()
	}
	stopOld()
	locked, lookErr := watch()
	if err = errors.Join(err, lookErr); err != nil {
		return nil, err
	}
	p.say("  %s", strings.TrimSpace(said))
	p.say("  old: %s", &old)
	p.say("  new: %s", &fresh)
	a, err := done.compare(ctx, newWire(newer.address), t, sharedStudios)
	if err = errors.Join(err, ended(newer)); err != nil {
		return nil, err
	}
	bad := func(status int) bool { return status < http.StatusOK || status >= http.StatusBadRequest }
	return []figure{
		none("old program before, during and after the new one's migrations ("+strings.TrimSpace(said)+"): failed requests", old.count(bad), fmt.Sprint(old.count(anyStatus))),
		none("the new program beside it: failed requests", fresh.count(bad), fmt.Sprint(fresh.count(anyStatus))),
		atMost("the same, longest wait for a lock", lockMost, locked),
		holds("the same, bookings acknowledged; lost; findings of the data check", "any, 0, 0", fmt.Sprintf("%d, %d, %d", done.len(), a.lost, a.wrong),
			done.len() > 0 && a.lost == 0 && a.wrong == 0),
	}, nil
}

// watchLocks looks again and again how long anybody has waited for a lock in a database, until the returned function is called, which
// tells the longest wait.
func (p *place) watchLocks(ctx context.Context, database string) (end func() (time.Duration, error), err error) {
	super, err := p.postgres.connect(ctx, database)
	if err != nil {
		return nil, err
	}
	var longest highest
	var looking error
	stop := behind(ctx, func(ctx context.Context) {
		defer super.Close(context.WithoutCancel(ctx))
		for pause(ctx, 20*time.Millisecond) && looking == nil {
			var micros int64
			looking = super.QueryRow(context.WithoutCancel(ctx), `select coalesce(max(extract(epoch from clock_timestamp() - waitstart)) * 1e6, 0)::bigint
				from pg_locks where not granted and database = (select oid from pg_database where datname = current_database())`).Scan(&micros)
			longest.see(micros * 1000)
		}
	})
	return func() (time.Duration, error) {
		stop()
		return time.Duration(longest.n.Load()), looking
	}, nil
}
