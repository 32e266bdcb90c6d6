package business

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/identity"
	"foyer/app/mail"
	"foyer/app/pg"
	"foyer/app/port"
	"foyer/app/tenancy"
)

// Options are what a Service needs; all of them are required.
type Options struct {
	DB *pg.DB
	// Secret is the server's secret. It seals an API key in the answer that is kept for a repeated request.
	Secret []byte
	Mail   mail.Sender
	// InviteMail writes the mail that tells somebody they are on the team.
	InviteMail func(TeamInvite) mail.Message
	Ports
}

// Ports are what business needs of packages that are built on it: what takes place at a location, who is booked and what is
// sold there stand above the location, and closing, archiving and a new tax rate take all of it along in their transaction.
type Ports struct {
	// HasDatesTx reports whether something takes place at this location from now on, on its wall clock of today.
	HasDatesTx func(ctx context.Context, tx *pg.Tx, location uuid.UUID) (bool, error)
	// SpaceInUseTx reports whether something that can be booked takes place in this space from now on.
	SpaceInUseTx func(ctx context.Context, tx *pg.Tx, space uuid.UUID) (bool, error)
	// EndAheadTx ends all that is booked, asked for, kept or waited for ahead, because the studio does: everything is given back and
	// everybody is told. Without leave to cancel it ends nothing, and is ErrFutureBookings while somebody is booked.
	EndAheadTx func(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, in CloseInput) (Ended, error)
	// ArchiveLocationTx archives what is sold at a location, once it goes on elsewhere if it is to. It refuses while somebody is still booked
	// there.
	ArchiveLocationTx func(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, away *ArchivePlan) (ArchivedContent, error)
	// ReplaceTaxRateTx moves what is sold under the tax rate old to its successor.
	ReplaceTaxRateTx func(ctx context.Context, tx *pg.Tx, old, successor uuid.UUID) error
}

// Service has the verbs of this package. It is safe for concurrent use.
type Service struct {
	o    Options
	seal identity.Seal
}

// New returns a Service. It panics when an option is missing: that is a mistake to find at start.
func New(o Options) *Service {
	if o.DB == nil || o.Mail == nil || o.InviteMail == nil || len(port.Missing(o.Ports)) > 0 || len(o.Secret) < identity.MinPepper {
		panic("business: an option is missing, or the secret is shorter than 32 bytes")
	}
	return &Service{o: o, seal: identity.NewSeal(o.Secret)}
}

// change is how every change begins: with what policy says of the right to make it, and with the input (valid may be
// nil).
func change[T any](ctx context.Context, s *Service, sc tenancy.Scope, may error, valid func() error,
	do func(*pg.Tx) (T, error)) (out T, err error) {
	if may != nil {
		return out, may
	}
	if valid != nil {
		if err := valid(); err != nil {
			return out, err
		}
	}
	return pg.InTx(ctx, s.o.DB, sc.Tenant, do)
}
