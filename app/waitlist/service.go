package waitlist

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/booking"
	"foyer/app/identity"
	"foyer/app/mail"
	"foyer/app/pg"
	"foyer/app/port"
	"foyer/app/tenancy"
)

// Options are the dependencies of a Service.
type Options struct {
	DB   *pg.DB
	Mail mail.Sender
	// WriteLetter writes the mails about a place on a waitlist, in the customer's language.
	WriteLetter func(Letter) mail.Message
	// Secret is the server's secret, at least identity.MinPepper bytes. The links of entries are derived from it.
	Secret []byte
}

// Ports are functions of package checkout, which is built on waitlist, because a cart may hold an accepted offer: the
// entry, its cart and, with a total of zero, its order are one commit.
type Ports struct {
	// OpenCartTx begins a cart for an accepted offer and returns its id: checkout.Service.OpenCartTx.
	// FulfilPromotionTx books that cart if its total is zero, and then returns the order:
	// checkout.Service.FulfilPromotionTx.
	OpenCartTx        func(ctx context.Context, tx *pg.Tx, in OpenCart) (uuid.UUID, error)
	FulfilPromotionTx func(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, cart uuid.UUID) (order *uuid.UUID, err error)
	// CostBases returns the amounts behind cancelling bookings, for the letter about a promotion:
	// order.CostBasesOf.
	CostBases func(ctx context.Context, v *pg.View, list []booking.Booking) (map[uuid.UUID]booking.CostBasis, error)
}

// Service has the verbs of this package that open their own transaction. It is safe for concurrent use.
type Service struct {
	port.Late[Ports]
	db *pg.DB
	o  Options
}

// New returns a Service without its ports, to be connected by the caller. It panics when an option is missing.
func New(o Options) *Service {
	if o.DB == nil || o.Mail == nil || o.WriteLetter == nil || len(o.Secret) < identity.MinPepper {
		panic("waitlist: an option is missing")
	}
	return &Service{db: o.DB, o: o}
}
