package availability

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/pg"
)

// Options are what a Service needs.
type Options struct {
	DB *pg.DB
	// HitsTx names the bookings of these dates that stand, the earliest most of them: booking.HitsTx.
	HitsTx func(ctx context.Context, tx *pg.Tx, dates []uuid.UUID, most int) (Hits, error)
}

// Service has the verbs of this package.
type Service struct {
	db     *pg.DB
	hitsTx func(ctx context.Context, tx *pg.Tx, dates []uuid.UUID, most int) (Hits, error)
}

// New returns a Service. It panics when an option is missing.
func New(o Options) *Service {
	if o.DB == nil || o.HitsTx == nil {
		panic("availability: an option is missing")
	}
	return &Service{db: o.DB, hitsTx: o.HitsTx}
}
