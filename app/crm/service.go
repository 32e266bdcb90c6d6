package crm

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/pg"
)

// Options are what a Service needs; all of them are required.
type Options struct {
	DB *pg.DB
	// FollowTx lets what a customer waits for follow the login that their record has got; nil: it has none any more.
	FollowTx func(ctx context.Context, tx *pg.Tx, customer uuid.UUID, person *uuid.UUID) error
}

// Service has the verbs of this package. It is safe for concurrent use.
type Service struct {
	o      Options
	totals totals
}

// New returns a Service. It panics when an option is missing.
func New(o Options) *Service {
	if o.DB == nil || o.FollowTx == nil {
		panic("crm: an option is missing")
	}
	return &Service{o: o}
}
