package pg

import (
	"context"
	"fmt"
	"sync"

	"github.com/google/uuid"
)

// shares counts the connections that the transactions of each business hold in this process. A transaction that waits
// for a row keeps its connection, and a popular date has many of them: without a limit they would use the whole pool,
// and every other studio would stand still. Beyond its share a business's transactions wait here, without a
// connection.
type shares struct {
	most int
	mu   sync.Mutex
	of   map[uuid.UUID]*share
}

type share struct {
	places chan struct{}
	users  int // number that hold or wait for a connection
}

// newShares gives every business a quarter of a pool.
func newShares(pool int) *shares { return &shares{most: max(1, pool/4), of: map[uuid.UUID]*share{}} }

// take waits for a connection of the share and returns the function to release it. Without a business there is no
// limit.
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

// leave drops a business after the last use of its share.
func (s *shares) leave(business uuid.UUID, h *share) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if h.users--; h.users == 0 {
		delete(s.of, business)
	}
}
