package pg

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// Changes notifies caches that a business's rows have changed: this process before the verb that changed them
// returns, and other processes some milliseconds later. It is for caches only: a process that is killed between
// commit and notification, or that is cut off from the database, leaves the caches of the others stale. So give every
// cached value a maximum age that allows for lost notifications.
type Changes struct {
	forget func(business uuid.UUID)
	self   string // so that a process ignores its own notifications

	mu      sync.Mutex
	waiting map[uuid.UUID]struct{}
	wake    chan struct{}
}

const (
	changesChannel = "foyer_changes"
	// changesPause collects nearly simultaneous changes into one notification: notifying takes a lock that all
	// notifying transactions of a server share.
	changesPause = 20 * time.Millisecond
	changesMost  = 200 // businesses in one notification: Postgres accepts 8,000 bytes
	changesAgain = time.Second
)

// NewChanges calls forget with every business after a change of its rows, and with uuid.Nil after a possible change
// of any.
func NewChanges(forget func(business uuid.UUID)) *Changes {
	return &Changes{forget: forget, self: NewID().String(), waiting: map[uuid.UUID]struct{}{}, wake: make(chan struct{}, 1)}
}

// committed is called by a transaction of that business once it has committed.
func (c *Changes) committed(business uuid.UUID) {
	if c == nil || business == uuid.Nil {
		return
	}
	c.forget(business)
	c.mu.Lock()
	c.waiting[business] = struct{}{}
	c.mu.Unlock()
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

// Run notifies the other processes and listens to them until ctx ends. It reopens a broken connection. Notifications
// sent meanwhile are lost, so it then calls forget with uuid.Nil.
func (c *Changes) Run(ctx context.Context, db *DB) {
	var both sync.WaitGroup
	both.Go(func() { c.tellAll(ctx, db) })
	both.Go(func() { c.hearAll(ctx, db) })
	both.Wait()
}

func (c *Changes) tellAll(ctx context.Context, db *DB) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-c.wake:
		}
		for _, word := range c.words() {
			if _, err := db.Pool().Exec(ctx, "select pg_notify($1, $2)", changesChannel, word); err != nil && ctx.Err() == nil {
				slog.WarnContext(ctx, "notifying other processes of changes failed", "err", err)
			}
		}
		pause(ctx, changesPause)
	}
}

// words takes the waiting notification: the sender, then businesses.
func (c *Changes) words() []string {
	c.mu.Lock()
	changed := c.waiting
	c.waiting = map[uuid.UUID]struct{}{}
	c.mu.Unlock()
	var words []string
	for some := range slices.Chunk(slices.Collect(maps.Keys(changed)), changesMost) {
		word := c.self
		for _, business := range some {
			word += " " + business.String()
		}
		words = append(words, word)
	}
	return words
}

func (c *Changes) hearAll(ctx context.Context, db *DB) {
	for first := true; ctx.Err() == nil; first = false {
		if !first {
			pause(ctx, changesAgain)
		}
		if err := c.hear(ctx, db); err != nil && ctx.Err() == nil {
			slog.WarnContext(ctx, "listening to other processes failed; retrying", "err", err)
		}
	}
}

// hear listens on a connection of its own until that breaks. The connection does not come from the pool, as it is
// held forever.
func (c *Changes) hear(ctx context.Context, db *DB) error {
	conn, err := pgx.ConnectConfig(ctx, db.Pool().Config().ConnConfig)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	if _, err := conn.Exec(ctx, "listen "+changesChannel); err != nil {
		return err
	}
	c.forget(uuid.Nil)
	for {
		n, err := conn.WaitForNotification(ctx)
		if err != nil {
			return errors.Join(err, ctx.Err())
		}
		c.heard(n.Payload)
	}
}

// heard handles one notification. An unreadable one is from another version: everything may have changed.
func (c *Changes) heard(word string) {
	parts := strings.Fields(word)
	if len(parts) == 0 || parts[0] == c.self {
		return
	}
	for _, part := range parts[1:] {
		business, err := uuid.Parse(part)
		if err != nil {
			business = uuid.Nil
		}
		c.forget(business)
	}
}

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}
