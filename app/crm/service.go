package crm

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/pg"
	"foyer/app/port"
)

// Options are the dependencies of a Service; all of them are required.
type Options struct {
	DB *pg.DB
	Ports
}

// Ports are the needs of crm in packages above it: a record that gets or loses a login takes its waitlist entries
// along in one transaction.
type Ports struct {
	// FollowTx assigns a customer's waitlist entries to the new login of their record; nil: it has none any more.
	FollowTx func(ctx context.Context, tx *pg.Tx, customer uuid.UUID, person *uuid.UUID) error
}

// Service has the operations of this package. It is safe for concurrent use.
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
