package web

import (
	"context"
	"sync"
	"time"

	"github.com/gofiber/fiber/v2"
)

// Default timeouts of requests: clients wait no longer, and proxies time out. A write may call the card processor,
// which has ten seconds.
const (
	readPatience  = 10 * time.Second
	writePatience = 20 * time.Second
)

// together is how much later than the first of them the requests may begin that share a context.
const together = 100 * time.Millisecond

// patience returns contexts that end some time after they were requested. Requests within a moment share one: a
// context with a timer of its own would be a third of the allocations of a small request.
type patience struct {
	time  time.Duration
	mu    sync.Mutex
	since time.Time
	ctx   context.Context
}

// begin returns the context of a request that begins now. It ends with base, too.
func (p *patience) begin(base context.Context) context.Context {
	now := time.Now() // real time: a network timeout
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ctx == nil || now.Sub(p.since) > together {
		ctx, cancel := context.WithTimeout(base, p.time+together)
		context.AfterFunc(ctx, cancel) // it ends by itself only: others may have it
		p.ctx, p.since = ctx, now
	}
	return p.ctx
}

// patienceFor is that of a method.
func (s *Server) patienceFor(method string) *patience {
	if method == fiber.MethodGet || method == fiber.MethodHead {
		return &s.reads
	}
	return &s.writes
}
