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

// PageCache caches finished public pages and fragments, and what they are made of, by business. One refill of a key
// runs at a time, and other callers wait for it; no lock is held while it runs. Only content for every visitor belongs
// here.
//
// An entry lives until its business is forgotten, which happens at every write; until the end of the wall-clock
// minute it was made in, because changes by time alone (a class begins, midnight, a notice ends) happen on a full
// minute; or until it is the least recently used when the cache is full.
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

// PageBody is the result of a refill.
type PageBody struct {
	Status int    // 0: 200
	Type   string // content type
	Body   []byte
	Header []Header
	// OnDemand makes the compressed copies when they are asked for, and not with the page: for one that is mostly
	// changed before it is read twice.
	OnDemand bool
	Note     any // kept with the page for its handler, never sent; read-only
}

// entryCost is the size of an entry besides its key and its bytes.
const entryCost = 512

// NewPageCache makes a cache of at most maxBytes.
func NewPageCache(c clock.Clock, maxBytes int) *PageCache {
	return &PageCache{
		clock: c, maxBytes: maxBytes, entries: map[string]*pageEntry{}, owned: map[uuid.UUID]map[*pageEntry]struct{}{}, order: list.New(),
	}
}

// Get returns the page of a key. It calls fill if the page is not cached. A key belongs to one owner for ever. An
// error of fill is returned to all waiting callers and is not cached. A page is not cached if its owner is forgotten
// during the refill; the waiting callers get it all the same.
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

// refill makes the page. Waiting callers must not lose it when the first caller disconnects.
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
		p.grow(e, len(e.page.Bytes)+len(e.page.Gzip)+len(e.page.Brotli))
	}()
	body, err := fill(context.WithoutCancel(ctx))
	if err == nil {
		e.page, err = p.pageOf(e, body)
	}
	e.err = err
}

// pageOf makes the page of a body for an entry.
func (p *PageCache) pageOf(e *pageEntry, body PageBody) (page *Cached, err error) {
	if body.OnDemand {
		page = withCopies(body.Type, body.Body, nil, nil, body.Header...)
		page.onDemand = copiesOnDemand(body.Body, func(size int) {
			p.mu.Lock()
			defer p.mu.Unlock()
			if p.entries[e.key] == e {
				p.grow(e, size)
			}
		})
	} else if page, err = NewCached(body.Type, body.Body, body.Header...); err != nil {
		return nil, err
	}
	page.Status, page.Note = body.Status, body.Note
	return page, nil
}

// grow counts further bytes of an entry that is cached.
func (p *PageCache) grow(e *pageEntry, size int) {
	e.size += size
	p.bytes += size
	p.shrink(e)
}

// Forget drops every page of a business, or all pages for uuid.Nil.
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

// stale reports whether an entry's minute has ended. A clock that was set back ends it too.
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

// shrink drops the least recently used entries until the others fit. Entries still being made hold no bytes yet.
func (p *PageCache) shrink(keep *pageEntry) {
	for p.bytes > p.maxBytes && p.order.Len() > 1 {
		last := p.order.Back().Value.(*pageEntry)
		if last == keep {
			return
		}
		p.drop(last)
	}
}
