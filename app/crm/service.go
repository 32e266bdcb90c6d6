package crm

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/pg"
	"foyer/app/port"
)

// Options are what a Service needs; all of them are required.
type Options struct {
	DB *pg.DB
	Ports
}

// Ports are what crm needs of packages that are built on it: waitlists know customers, and a record that gets a login, or
// loses it, takes its places along in one transaction.
type Ports struct {
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
	if o.DB == nil || len(port.Missing(o.Ports)) > 0 {
		panic("crm: an option is missing")
	}
	return &Service{o: o}
}
