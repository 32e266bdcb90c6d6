package availability

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/pg"
	"foyer/app/port"
	"foyer/app/tenancy"
	"foyer/billing/processor"
	"foyer/policy"
)

// Options are the dependencies of a Service.
type Options struct {
	DB *pg.DB
	Ports
	// Cards is the processor's environment for card payments; empty without a processor.
	Cards processor.Env
}

// Ports are functions of package booking, which is built on availability: a change of hours names the bookings that
// it affects.
type Ports struct {
	// HitsTx names the live bookings of these dates, the earliest most of them: booking.HitsTx.
	HitsTx func(ctx context.Context, tx *pg.Tx, dates []uuid.UUID, most int) (Hits, error)
}

// Service has the verbs of this package.
type Service struct {
	db     *pg.DB
	hitsTx func(ctx context.Context, tx *pg.Tx, dates []uuid.UUID, most int) (Hits, error)
	cards  processor.Env
}

// New returns a Service. It panics when an option is missing.
func New(o Options) *Service {
	if o.DB == nil || len(port.Missing(o.Ports)) > 0 {
		panic("availability: an option is missing")
	}
	return &Service{db: o.DB, hitsTx: o.HitsTx, cards: o.Cards}
}

// begin begins every change with a result: it checks a feature at some location and the input, and runs a
// transaction.
func begin[T any](ctx context.Context, s *Service, sc tenancy.Scope, need tenancy.Feature, wrong error,
	do func(*pg.Tx) (T, error)) (out T, err error) {
	if err := policy.RequireAny(sc, need); err != nil {
		return out, err
	}
	if wrong != nil {
		return out, wrong
	}
	return pg.InTx(ctx, s.db, sc.Tenant, do)
}
