package catalog

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/business"
	"foyer/app/money"
	"foyer/app/pg"
	"foyer/app/port"
	"foyer/app/tenancy"
)

// Options are the dependencies of a Service; all of them are required.
type Options struct {
	DB *pg.DB
	Ports
}

// Ports are functions of packages that are built on catalog: dates, bookings and waitlists are above offerings, and
// publishing, archiving and relocating an offering call them in their own transaction. Card payments are checked the
// same way, so that catalog does not depend on billing.
type Ports struct {
	// HasTimesTx reports whether customers could choose a time of this offering once it is published.
	HasTimesTx func(ctx context.Context, tx *pg.Tx, offering uuid.UUID) (bool, error)
	// ArchiveOfferingTx counts the upcoming dates, bookings and entries of this offering and, without a booking,
	// closes its waitlists.
	ArchiveOfferingTx func(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, offering uuid.UUID) (Ahead, error)
	// GoOnTx relocates the upcoming dates of offerings to their replacements at another location.
	GoOnTx func(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, m GoingOn) (business.Transferred, error)
	// CourseTx prepares an offering for enrolment as a course, and returns the reason if it cannot; empty if it can.
	CourseTx func(ctx context.Context, tx *pg.Tx, offering uuid.UUID) (why string, err error)
	// TakesCardsTx reports whether the business's account takes cards for amounts in this currency. A fault has the
	// reason if it does not, unless there simply is no account.
	TakesCardsTx func(ctx context.Context, tx *pg.Tx, cur money.Currency) (bool, error)
}

// Service has the verbs of this package.
type Service struct{ o Options }

// New returns a Service. It panics when an option is missing: a catalog that cannot read bookings would archive paid
// ones.
func New(o Options) *Service {
	if o.DB == nil || len(port.Missing(o.Ports)) > 0 {
		panic("catalog: an option is missing")
	}
	return &Service{o: o}
}
