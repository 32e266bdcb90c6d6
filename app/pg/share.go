package pg

import (
	"context"
	"fmt"
	"sync"

	"github.com/google/uuid"
)

// shares are how many connections the transactions of each business hold at once in this process. Whoever waits for a row keeps a
// connection, and a popular date has many who wait for it: without a limit they would take the whole pool, and every other
// studio would stand still with them. Beyond its share a business's transactions wait here, where that costs nobody anything.
type shares struct {
	most int
	mu   sync.Mutex
	of   map[uuid.UUID]*share
}

type share struct {
	places chan struct{}
	users  int // who hold a place or wait for one
}

// newShares gives every business a quarter of a pool.
func newShares(pool int) *shares { return &shares{most: max(1, pool/4), of: map[uuid.UUID]*share{}} }

// take waits for a place and returns what gives it back. What belongs to no business has no limit.
func (s *shares) take(ctx context.Context, business uuid.UUID) (giveBack func(), err error) {
	if business == uuid.Nil {
		return func() {}, nil
	}
	s.mu.Lock()
	h := s.of[business]
	if h == nil {
		h = &share{places: make(chan struct{}, s.most)}
		s.of[business] = h
	}
	h.users++
	s.mu.Unlock()
	select {
	case h.places <- struct{}{}:
		return func() {
			<-h.places
			s.leave(business, h)
		}, nil
	case <-ctx.Done():
		s.leave(business, h)
		return nil, fmt.Errorf("pg: waiting behind other transactions of the business: %w", ctx.Err())
	}
}

// leave forgets a business when nobody uses its share any more.
func (s *shares) leave(business uuid.UUID, h *share) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if h.users--; h.users == 0 {
		delete(s.of, business)
	}
}
