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

// Options are what a Service needs; all of them are required.
type Options struct {
	DB *pg.DB
	Ports
}

// Ports are what catalog needs of packages that are built on it: what takes place, who is booked and who waits is known
// above what is offered, and publishing, archiving and moving an offering ask in their own transaction. Whether cards are taken
// is asked the same way, so that catalog is not made of billing.
type Ports struct {
	// HasTimesTx reports whether people could choose a time of this offering once it is published.
	HasTimesTx func(ctx context.Context, tx *pg.Tx, offering uuid.UUID) (bool, error)
	// ArchiveOfferingTx counts what is still to come of this offering and, when nobody is booked, closes its waitlists.
	ArchiveOfferingTx func(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, offering uuid.UUID) (Ahead, error)
	// GoOnTx lets what lies ahead of offerings go on with others, elsewhere.
	GoOnTx func(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, m GoingOn) (business.Moved, error)
	// CourseTx makes an offering ready for people to enrol in it as a course, and says why they cannot; empty when they can.
	CourseTx func(ctx context.Context, tx *pg.Tx, offering uuid.UUID) (why string, err error)
	// TakesCardsTx tells whether the business's account takes cards for amounts in this currency. A fault says why it does not, where
	// there is more to say than that there is no account.
	TakesCardsTx func(ctx context.Context, tx *pg.Tx, cur money.Currency) (bool, error)
}

// Service has the verbs of this package.
type Service struct{ o Options }

// New returns a Service. It panics when an option is missing: a catalog that cannot ask about bookings would archive
// what people have paid for.
func New(o Options) *Service {
	if o.DB == nil || len(port.Missing(o.Ports)) > 0 {
		panic("catalog: an option is missing")
	}
	return &Service{o: o}
}
