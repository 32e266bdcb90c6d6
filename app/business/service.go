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

// Options are the dependencies of a Service; all of them are required.
type Options struct {
	DB *pg.DB
	// Secret is the server's secret. It seals an API key in the response stored for a repeated request.
	Secret []byte
	Mail   mail.Sender
	// InviteMail renders the mail to a new member of the team.
	InviteMail func(TeamInvite) mail.Message
	Ports
}

// Ports are the needs of business in packages above it: dates, bookings and offerings depend on the location.
// Closing, archiving and a new tax rate change them in the same transaction.
type Ports struct {
	// HasDatesTx reports whether the location has current or upcoming dates, on its present wall clock.
	HasDatesTx func(ctx context.Context, tx *pg.Tx, location uuid.UUID) (bool, error)
	// SpaceInUseTx reports whether the space has an upcoming date or a series, or is a space of a published offering.
	SpaceInUseTx func(ctx context.Context, tx *pg.Tx, space uuid.UUID) (bool, error)
	// EndAheadTx cancels all upcoming bookings and requests, holds and waitlist entries on the studio's behalf, with
	// full refunds and notices. Without CancelBookings it ends nothing, and returns ErrFutureBookings while there are
	// bookings.
	EndAheadTx func(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, in CloseInput) (Ended, error)
	// ArchiveLocationTx archives the offerings of a location, after they continue at another one if the plan has one.
	// It returns an error while the location has bookings.
	ArchiveLocationTx func(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, away *ArchivePlan) (ArchivedContent, error)
	// ReplaceTaxRateTx changes offerings and products from the tax rate old to its successor.
	ReplaceTaxRateTx func(ctx context.Context, tx *pg.Tx, old, successor uuid.UUID) error
}

// Service has the operations of this package. It is safe for concurrent use.
type Service struct {
	o    Options
	seal identity.Seal
}

// New returns a Service. It panics when an option is missing, as that is a programming error.
func New(o Options) *Service {
	if o.DB == nil || o.Mail == nil || o.InviteMail == nil || len(port.Missing(o.Ports)) > 0 || len(o.Secret) < identity.MinPepper {
		panic("business: an option is missing, or the secret is shorter than 32 bytes")
	}
	return &Service{o: o, seal: identity.NewSeal(o.Secret)}
}

// change begins every change: it checks policy's error and the input (valid may be nil).
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
