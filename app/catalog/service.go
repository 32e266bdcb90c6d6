package catalog

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/pg"
)

// Options are what a Service needs; all of them are required.
type Options struct {
	DB *pg.DB
	// HasTimesTx tells whether people could choose a time of this offering once it is published.
	HasTimesTx func(ctx context.Context, tx *pg.Tx, offering uuid.UUID) (bool, error)
	// HasFutureBookingsTx tells whether somebody holds or has booked a seat of this offering that is still ahead.
	HasFutureBookingsTx func(ctx context.Context, tx *pg.Tx, offering uuid.UUID) (bool, error)
}

// Service has the verbs of this package.
type Service struct{ o Options }

// New returns a Service. It panics when an option is missing: a catalog that cannot ask about bookings would archive
// what people have paid for.
func New(o Options) *Service {
	if o.DB == nil || o.HasTimesTx == nil || o.HasFutureBookingsTx == nil {
		panic("catalog: an option is missing")
	}
	return &Service{o: o}
}
