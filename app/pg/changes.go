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

// Changes carries the word that a business's rows have changed to whoever keeps something made from them: to this
// process before the verb that changed them returns, and to the others some milliseconds later. It is for caches only: a
// process that is killed between its commit and its word, or is cut off from the database, leaves the others with what
// they have, so nothing may be kept for longer than a stranger's word can be missed.
type Changes struct {
	forget func(business uuid.UUID)
	self   string // so that a process does not listen to itself

	mu      sync.Mutex
	waiting map[uuid.UUID]struct{}
	wake    chan struct{}
}

const (
	changesChannel = "foyer_changes"
	// changesPause collects what changes at about the same time into one word: notifying takes a lock that all notifying
	// transactions of a server share.
	changesPause = 20 * time.Millisecond
	changesMost  = 200 // businesses in one word: Postgres takes 8,000 bytes
	changesAgain = time.Second
)

// NewChanges calls forget with every business whose rows have changed, and with uuid.Nil when any may have.
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

// Run tells the other processes and listens to them until ctx ends. A connection that breaks is opened again; what was
// said meanwhile is lost, so that everything is forgotten then.
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
				slog.WarnContext(ctx, "other processes were not told what has changed", "err", err)
			}
		}
		pause(ctx, changesPause)
	}
}

// words takes what is waiting: the sender, then businesses.
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
			slog.WarnContext(ctx, "other processes are not heard; listening again", "err", err)
		}
	}
}

// hear listens on a connection of its own until that breaks. It is not one of the pool's: it is held for ever.
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

// heard takes in one word. What it cannot read is another version's: everything may have changed.
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
