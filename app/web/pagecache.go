package web

import (
	"container/list"
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/google/uuid"

	"foyer/app/clock"
)

// PageCache keeps finished public pages and fragments, each for the business whose rows it was made from. One refill of a
// key runs at a time and everybody waits for it; no lock is held while it runs. An entry lives until its business is
// forgotten, which happens at every write; until the minute of the wall clock that it was made in is over, because
// everything that time alone changes (a class begins, midnight, a notice runs out) changes on a full minute; or until it is
// the least recently used of too many bytes. Only what every visitor may see belongs here.
type PageCache struct {
	clock    clock.Clock
	maxBytes int

	mu      sync.Mutex
	entries map[string]*pageEntry
	owned   map[uuid.UUID]map[*pageEntry]struct{}
	order   *list.List // of *pageEntry, the most recently used in front
	bytes   int
}

type pageEntry struct {
	owner uuid.UUID
	key   string
	at    *list.Element
	ready chan struct{} // closed when page or err is set
	page  *Cached
	err   error
	made  time.Time
	size  int
}

// PageBody is what a refill makes.
type PageBody struct {
	Status int    // 0: 200
	Type   string // content type
	Body   []byte
	Header []Header
}

// entryCost is what an entry weighs besides its key and its bytes.
const entryCost = 512

// NewPageCache makes a cache of at most maxBytes.
func NewPageCache(c clock.Clock, maxBytes int) *PageCache {
	return &PageCache{
		clock: c, maxBytes: maxBytes, entries: map[string]*pageEntry{}, owned: map[uuid.UUID]map[*pageEntry]struct{}{}, order: list.New(),
	}
}

// Get returns the page of a key, made by fill when it is not there. A key belongs to one owner for ever. An error of fill
// goes to everybody who waited for it and is not kept. A page whose owner is forgotten while it is being made is given to
// those who waited, and not kept either.
func (p *PageCache) Get(ctx context.Context, owner uuid.UUID, key string, fill func(context.Context) (PageBody, error)) (*Cached, error) {
	p.mu.Lock()
	e, ok := p.entries[key]
	if ok && p.stale(e) {
		p.drop(e)
		ok = false
	}
	if ok {
		p.order.MoveToFront(e.at)
		p.mu.Unlock()
		select {
		case <-e.ready:
			return e.page, e.err
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	e = &pageEntry{owner: owner, key: key, ready: make(chan struct{}), made: p.clock.Now(), size: len(key) + entryCost}
	p.keep(e)
	p.mu.Unlock()
	p.refill(ctx, e, fill)
	return e.page, e.err
}

// refill makes the page. The others who wait must not lose it when the first caller goes away.
func (p *PageCache) refill(ctx context.Context, e *pageEntry, fill func(context.Context) (PageBody, error)) {
	e.err = fmt.Errorf("web: refill of %s panicked", e.key)
	defer func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		close(e.ready)
		if p.entries[e.key] != e {
			return
		}
		if e.err != nil {
			p.drop(e)
			return
		}
		grown := len(e.page.Bytes) + len(e.page.Gzip) + len(e.page.Brotli)
		e.size += grown
		p.bytes += grown
		p.shrink(e)
	}()
	body, err := fill(context.WithoutCancel(ctx))
	if err == nil {
		e.page, err = NewCached(body.Type, body.Body, body.Header...)
	}
	if err == nil {
		e.page.Status = body.Status
	}
	e.err = err
}

// Forget drops every page of a business; uuid.Nil drops everything.
func (p *PageCache) Forget(owner uuid.UUID) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if owner == uuid.Nil {
		for _, e := range p.entries {
			p.drop(e)
		}
		return
	}
	for e := range p.owned[owner] {
		p.drop(e)
	}
}

// Len is the number of entries.
func (p *PageCache) Len() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.entries)
}

// stale tells whether an entry's minute is over. A clock that was set back ends it too.
func (p *PageCache) stale(e *pageEntry) bool {
	return !p.clock.Now().Truncate(time.Minute).Equal(e.made.Truncate(time.Minute))
}

func (p *PageCache) keep(e *pageEntry) {
	p.entries[e.key], e.at = e, p.order.PushFront(e)
	p.bytes += e.size
	of := p.owned[e.owner]
	if of == nil {
		of = map[*pageEntry]struct{}{}
		p.owned[e.owner] = of
	}
	of[e] = struct{}{}
}

func (p *PageCache) drop(e *pageEntry) {
	delete(p.entries, e.key)
	p.order.Remove(e.at)
	p.bytes -= e.size
	of := p.owned[e.owner]
	delete(of, e)
	if len(of) == 0 {
		delete(p.owned, e.owner)
	}
}

// shrink drops the least recently used entries until the rest fits. Entries still being made hold no bytes yet.
func (p *PageCache) shrink(keep *pageEntry) {
	for p.bytes > p.maxBytes && p.order.Len() > 1 {
		last := p.order.Back().Value.(*pageEntry)
		if last == keep {
			return
		}
		p.drop(last)
	}
}
