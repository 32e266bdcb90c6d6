package mcp

import (
	"context"
	"crypto/sha256"
	"sync"
	"time"

	"github.com/google/uuid"

	"foyer/app/tenancy"
)

// recent remembers for some seconds whose credentials were good, so that a call of a tool verifies its credential once:
// the gate of the operation does, as for every call. A call that the gate finds to have none is answered as if it had
// been refused here.
type recent struct {
	mu   sync.Mutex
	seen map[[32]byte]seen
}

type seen struct {
	who   tenancy.Principal
	until time.Time
}

const (
	recentFor  = 10 * time.Second // real time: of the process
	recentMost = 10_000
)

func credentialOf(bearer string, pin uuid.UUID) [32]byte {
	return sha256.Sum256(append(pin[:], bearer...))
}

func (r *recent) get(credential [32]byte) (tenancy.Principal, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	s, ok := r.seen[credential]
	return s.who, ok && time.Now().Before(s.until) // real time: of the process
}

func (r *recent) put(credential [32]byte, who tenancy.Principal) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.seen == nil || len(r.seen) >= recentMost {
		r.seen = map[[32]byte]seen{}
	}
	r.seen[credential] = seen{who, time.Now().Add(recentFor)} // real time: of the process
}

func (r *recent) forget(credential [32]byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.seen, credential)
}

// caller returns the caller of a request. For a call of a tool it may be one of the last seconds, whose grants are read
// if they are needed.
func (m *surface) caller(ctx context.Context, bearer string, pin uuid.UUID, calls bool) (Caller, error) {
	credential := credentialOf(bearer, pin)
	if who, ok := m.recent.get(credential); ok && calls {
		return Caller{Principal: who, Holds: func(ctx context.Context) (tenancy.Grants, error) {
			c, err := m.Caller(ctx, bearer, pin)
			if err == nil && c.Holds != nil {
				return c.Holds(ctx)
			}
			return c.Grants, err
		}}, nil
	}
	c, err := m.Caller(ctx, bearer, pin)
	if err == nil {
		m.recent.put(credential, c.Principal)
	}
	return c, err
}
