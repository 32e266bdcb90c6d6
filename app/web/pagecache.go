package web

import (
	"container/list"
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"foyer/app/clock"
)

// PageCache keeps finished public pages and fragments. One refill of a key runs at a time and everybody waits for it; no
// lock is held while it runs. An entry lives until it is invalidated, is older than the cache's age, or is the least
// recently used of too many bytes. Only what every visitor may see belongs here.
type PageCache struct {
	clock    clock.Clock
	age      time.Duration
	maxBytes int

	mu      sync.Mutex
	entries map[string]*pageEntry
	order   *list.List // of *pageEntry, the most recently used in front
	bytes   int
}

type pageEntry struct {
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
	Type string // content type
	Body []byte
}

// NewPageCache makes a cache of at most maxBytes, whose entries live at most age.
func NewPageCache(c clock.Clock, age time.Duration, maxBytes int) *PageCache {
	return &PageCache{clock: c, age: age, maxBytes: maxBytes, entries: map[string]*pageEntry{}, order: list.New()}
}

// Get returns the page of a key, made by fill when it is not there. An error of fill goes to everybody who waited for it
// and is not kept. A page that is invalidated while it is being made is given to those who waited, and not kept either.
func (p *PageCache) Get(ctx context.Context, key string, fill func(context.Context) (PageBody, error)) (*Cached, error) {
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
	e = &pageEntry{key: key, ready: make(chan struct{}), made: p.clock.Now(), size: len(key)}
	p.entries[key], e.at = e, p.order.PushFront(e)
	p.bytes += e.size
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
		e.page, err = NewCached(body.Type, body.Body)
	}
	e.err = err
}

// Invalidate forgets every page whose key begins with prefix.
func (p *PageCache) Invalidate(prefix string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for key, e := range p.entries {
		if strings.HasPrefix(key, prefix) {
			p.drop(e)
		}
	}
}

// Len is the number of entries.
func (p *PageCache) Len() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.entries)
}

// stale tells whether an entry is too old. A clock that was set back makes it stale too.
func (p *PageCache) stale(e *pageEntry) bool {
	d := p.clock.Now().Sub(e.made)
	return d >= p.age || d < 0
}

func (p *PageCache) drop(e *pageEntry) {
	delete(p.entries, e.key)
	p.order.Remove(e.at)
	p.bytes -= e.size
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
